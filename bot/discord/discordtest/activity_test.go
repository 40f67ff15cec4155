package discordtest

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const application = "&client_id=" + applicationID + "&client_secret=s3cret"

// newActivities starts a server whose application has activities and a client secret.
func newActivities(t *testing.T) bench {
	return newBenchWith(t, Options{Pace: -1, Secret: "s3cret", Embedded: true})
}

// grants checks that a form for OAuth gets this status and a response that contains part, and returns the token in it.
func (b bench) grants(path, auth, form string, status int, part string) (token string) {
	b.Helper()
	got, said := b.asks("POST", "/oauth2/token"+path, "application/x-www-form-urlencoded", auth, form)
	if got != status || !strings.Contains(said, part) {
		b.Errorf("%s%s: %d %s, want %d %s", path, form, got, said, status, part)
	}
	var given struct {
		Token string `json:"access_token"`
	}
	_ = json.Unmarshal([]byte(said), &given) // without a token, the next request fails
	return given.Token
}

// isSaidToBe checks that a token gets this status and a response that contains part when the bot asks whose it is.
func (b bench) isSaidToBe(token string, status int, part string) {
	b.Helper()
	got, said := b.asks("GET", "/users/@me", "", "Bearer "+token, "")
	if got != status || !strings.Contains(said, part) {
		b.Errorf("%d %s, want %d %s", got, said, status, part)
	}
}

// TestOAuthNamesWhoGaveTheCode checks that a code stands once for a person, for the application alone, and that the bot
// revokes what it got.
func TestOAuthNamesWhoGaveTheCode(t *testing.T) {
	b := newActivities(t)
	code := "grant_type=authorization_code&code="
	b.grants("", "", code+b.Code(b.anna)+"&client_id="+applicationID+"&client_secret=other", 401, "invalid_client")
	b.grants("", "", code+b.Code(b.anna)+"&client_id=5&client_secret=s3cret", 401, "invalid_client")
	b.grants("", "", code+"unknown"+application, 400, "invalid_grant")
	aged, used := b.Code(b.anna), b.Code(b.anna)
	token := b.grants("", "", code+used+application, 200, `"scope":"identify"`)
	b.grants("", "", code+used+application, 400, "invalid_grant")
	b.Advance(61 * time.Second)
	b.grants("", "", code+aged+application, 400, "invalid_grant")
	b.isSaidToBe(token, 200, `"global_name":"Anna","id":"`+b.anna.ID+`","locale":"en-US"`)
	b.isSaidToBe("unknown", 401, "401: Unauthorized")

	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(applicationID+":s3cret"))
	b.grants("", "", "grant_type=refresh_token"+application, 400, "unsupported_grant_type")
	b.grants("", basic, "grant_type=client_credentials", 400, "invalid_scope")
	owner := b.grants("", basic, "grant_type=client_credentials&scope=identify", 200, "Bearer")
	b.isSaidToBe(owner, 200, "the owner")
	b.grants("/revoke", "", "token="+token, 401, "invalid_client")
	b.grants("/revoke", "", "token=unknown"+application, 200, "{}")
	b.violated(0)
	if left := b.unrevoked(); len(left) != 0 {
		t.Errorf("forgiven are not %q", left)
	}

	token = b.grants("", "", code+b.Code(b.anna)+application, 200, "Bearer")
	if left := b.unrevoked(); !slices.Equal(left, []string{"a token of Anna was never revoked"}) {
		t.Errorf("at the end: %q", left)
	}
	b.grants("/revoke", "", "token_type_hint=access_token&token="+token+application, 200, "{}")
	b.isSaidToBe(token, 401, "401: Unauthorized")
	b.violated(1)
	b.grants("/revoke", "", "token="+b.grants("", "", code+b.Code(b.anna)+application, 200, "")+application, 200, "{}")
	b.Server.Fail(Fault{On: "POST /oauth2/token", Status: http.StatusBadGateway, After: true})
	b.grants("", "", code+b.Code(b.anna)+application, 502, "") // the bot cannot revoke what it did not get
}

// TestOAuthTakesKnownForms checks that OAuth takes forms with known fields only, and nothing else takes a form.
func TestOAuthTakesKnownForms(t *testing.T) {
	b := newActivities(t)
	for _, form := range []string{"", "code=1" + application, "grant_type=x&nonce=1" + application,
		"grant_type=x&grant_type=y" + application, "grant_type=%zz" + application} {
		b.grants("", "", form, 400, "Invalid Form Body")
		b.violated(1)
	}
	b.grants("/revoke", "", "token_type_hint=refresh_token&token=1"+application, 400, "token_type_hint")
	b.refuses("POST", "/oauth2/token", `{"grant_type":"authorization_code","code":"1"}`, 400, "takes no body")
	if got, said := b.asks("POST", "/channels/"+b.hall.ID+"/messages", "application/x-www-form-urlencoded",
		"Bot "+b.Token(), "content=x"); got != 400 || !strings.Contains(said, "takes no form") {
		t.Errorf("a form as a message: %d %s", got, said)
	}
	b.violated(3)
	none := newBench(t) // the application has no secret
	none.grants("", "", "grant_type=client_credentials&scope=identify&client_id="+applicationID, 401, "invalid_client")
}

// TestActivitiesListWhoIsInThem checks what Discord says of an activity: where it is, and who is in it.
func TestActivitiesListWhoIsInThem(t *testing.T) {
	b := newActivities(t)
	b.refuses("GET", "/applications/@me", "", 200, `"flags":131072,`)
	newBench(t).refuses("GET", "/applications/@me", "", 200, `"flags":0,`)
	ben, group := b.Person("Ben", "de"), b.Group()
	a, foreign, other := b.hall.Activity(b.anna), b.Foreign("Far").Channel("away").Activity(), group.Activity(ben)
	at := "/applications/" + applicationID + "/activity-instances/"
	here := b.hall.guild.ID + "-" + b.hall.ID
	b.refuses("GET", at+a.ID, "", 200, `"location":{"channel_id":"`+b.hall.ID+`","guild_id":"`+b.hall.guild.ID+
		`","id":"gc-`+here+`","kind":"gc"},"users":["`+b.anna.ID+`"]}`)
	b.refuses("GET", at+foreign.ID, "", 200, `"users":[]}`)
	b.refuses("GET", at+other.ID, "", 200, `"location":{"channel_id":"`+group.ID+`","id":"pc-`+group.ID+`","kind":"pc"},`)
	a.Join(ben)
	a.Join(ben)
	a.Leave(b.anna)
	b.refuses("GET", at+a.ID, "", 200, `"users":["`+ben.ID+`"]}`)
	a.End()
	b.refuses("GET", at+a.ID, "", 404, "404: Not Found")
	b.refuses("GET", at+"i-1-gc-"+here, "", 404, "404: Not Found")
	b.violated(0)
	for _, id := range []string{"i_1", "%20", "a%2Fb", strings.Repeat("a", 129)} {
		b.refuses("GET", at+id, "", 400, "Invalid Form Body")
		b.violated(1)
	}
}

// TestServersKnowTheirMembers checks that the bot can ask for people where it is a member.
func TestServersKnowTheirMembers(t *testing.T) {
	b := newBench(t)
	at := "/guilds/" + b.hall.guild.ID + "/members/"
	b.refuses("GET", at+b.anna.ID, "", 200, `"nick":null`)
	b.anna.Nick = "Annie"
	b.refuses("GET", at+b.anna.ID, "", 200, `"nick":"Annie"`)
	b.refuses("GET", at+applicationID, "", 200, `"bot":true`)
	b.refuses("GET", at+"5", "", 404, "10007")
	b.refuses("GET", "/guilds/"+b.Foreign("Far").ID+"/members/"+b.anna.ID, "", 404, "10004")
}

// TestAPressOpensTheActivity checks that the answer that opens the activity is the only one, and is refused where there
// are no activities.
func TestAPressOpensTheActivity(t *testing.T) {
	b := newActivities(t)
	board := b.hall.Slash(b.anna, "shutbox")
	b.answers(board, word, http.StatusNoContent, "")
	press := b.hall.Press(b.anna, board.original.id, "!app")
	b.answers(press, `{"type":12,"data":{"flags":64}}`, http.StatusBadRequest, "data")
	b.violated(1)
	b.answers(press, `{"type":12}`, http.StatusNoContent, "")
	for method, path := range map[string]string{"POST": "", "PATCH": "/messages/@original"} {
		b.refuses(method, "/webhooks/"+applicationID+"/"+press.token+path, `{"content":"x",`+quiet+`}`,
			http.StatusBadRequest, "behind an answer")
		b.violated(1)
	}
	first, err := press.Answer(t.Context())
	if err != nil || first.Type != callLaunch || !slices.Equal(first.Activity.people, []*Person{b.anna}) {
		t.Errorf("answered with %+v, %v", first, err)
	}
	ben := b.Person("Ben", "de")
	opens := func() *Activity {
		i := b.hall.Press(ben, board.original.id, "!app")
		b.answers(i, `{"type":12}`, http.StatusNoContent, "")
		return i.answer.Activity
	}
	if a := opens(); a != first.Activity || !slices.Equal(a.people, []*Person{b.anna, ben}) {
		t.Errorf("Ben has joined %+v", a)
	}
	first.Activity.End()
	if a := opens(); a == first.Activity || !slices.Equal(a.people, []*Person{ben}) {
		t.Errorf("Ben has opened %+v", a)
	}

	none := newBench(t)
	slash := none.hall.Slash(none.anna, "shutbox")
	none.answers(slash, `{"type":12}`, http.StatusBadRequest, "50035")
	if slash.Answered() {
		t.Error("a refused answer counts")
	}
	none.answers(slash, word, http.StatusNoContent, "")
}

// TestOneCommandOpensTheActivity checks which commands that open the activity can be registered, and that Discord adds
// one when activities are enabled.
func TestOneCommandOpensTheActivity(t *testing.T) {
	b := newBench(t)
	at := "/applications/" + applicationID + "/commands"
	launch := `{"type":4,"name":"launch","handler":1}`
	b.refuses("PUT", at, "["+launch+"]", http.StatusBadRequest, "activities are not enabled")
	b.violated(1)
	b.refuses("PUT", at, `[{"name":"help","description":"d"}]`, http.StatusOK, "help")
	b.EnableActivities()
	b.EnableActivities()
	made, all := entryPoints(b.Commands()), string(b.Commands())
	if len(made) != 1 || made[0].Name != "launch" || made[0].Handler != 2 || !strings.Contains(all, "help") {
		t.Fatalf("the commands are %s", all)
	}
	b.refuses("PUT", at, "["+launch+"]", http.StatusBadRequest, "50240")
	kept := `{"id":"` + made[0].ID + `","type":4,"name":"launch","handler":2}`
	b.refuses("PUT", at, "["+kept+`,{"type":4,"name":"other","handler":2}]`, http.StatusBadRequest, "a second command")
	b.refuses("PUT", at, "["+kept+"]", http.StatusOK, made[0].ID)
	b.SetCommands([]byte("[]"))
	b.refuses("PUT", at, `[{"type":4,"name":"launch","handler":3}]`, http.StatusBadRequest, "handler")
	b.refuses("PUT", at, `[{"type":4,"name":"launch"}]`, http.StatusBadRequest, "no handler")
	b.violated(3)
	b.refuses("PUT", at, "["+launch+"]", http.StatusOK, "launch")
}
