package telegramtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"sort"
	"strconv"
	"strings"
)

// Launch returns the launch data with which a client opens the Mini App for p by a link in the chat. fields replace
// those that the client would send, such as "start_param"; a field that is "-" is left out.
func (c *Chat) Launch(p Person, fields map[string]string) string {
	kind := c.kind
	if kind == "private" {
		kind = "sender"
	}
	all := map[string]string{"chat_type": kind, "chat_instance": c.instance}
	for key, value := range fields {
		all[key] = value
	}
	return c.s.Launch(p, all)
}

// Launch returns launch data for p with fields, as of the bot's menu button; a field that is "-" is left out.
func (s *Server) Launch(p Person, fields map[string]string) string {
	user := p.user()
	delete(user, "is_bot")
	user["allows_write_to_pm"] = true
	who, _ := json.Marshal(user) // texts and numbers
	all := map[string]string{"query_id": "AAHdF6IQAAAAAN0XohDhrOrc", "user": string(who),
		"auth_date": strconv.FormatInt(s.now().Unix(), 10), "signature": "c2lnbmVkLWJ5LXRlbGVncmFt_-AA"}
	for key, value := range fields {
		if all[key] = value; value == "-" {
			delete(all, key)
		}
	}
	return SignLaunch(s.token, all)
}

// SignLaunch returns fields as launch data, signed for the bot with this token.
func SignLaunch(token string, fields map[string]string) string {
	var lines, parts []string
	for key, value := range fields {
		lines = append(lines, key+"="+value)
		parts = append(parts, url.QueryEscape(key)+"="+url.QueryEscape(value))
	}
	sort.Strings(lines)
	sort.Strings(parts)
	secret := hmac.New(sha256.New, []byte("WebAppData"))
	secret.Write([]byte(token))
	sum := hmac.New(sha256.New, secret.Sum(nil))
	sum.Write([]byte(strings.Join(lines, "\n")))
	return strings.Join(append(parts, "hash="+hex.EncodeToString(sum.Sum(nil))), "&")
}
