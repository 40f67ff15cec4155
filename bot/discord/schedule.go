package discord

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Fixed evenings as scheduled events of a server: external, weekly, with a link to the channel.

const (
	// eventLength is how long an event lasts.
	eventLength = 3 * time.Hour
	week        = 7 * 24 * time.Hour
)

// Limits of an event's texts, in UTF-16 units.
const (
	longestTitle = 100
	longestAbout = 1000
)

var _ chat.Calendar = (*Discord)(nil)

// scheduled is a scheduled event in Discord's JSON. The fields below Repeats are only in responses.
type scheduled struct {
	Name     string    `json:"name"`
	About    string    `json:"description,omitempty"`
	Start    time.Time `json:"scheduled_start_time"` // once it recurs: of the next or present time
	End      time.Time `json:"scheduled_end_time"`
	Privacy  int       `json:"privacy_level"`
	Kind     int       `json:"entity_type"`
	Where    location  `json:"entity_metadata"`
	Repeats  repeats   `json:"recurrence_rule"`
	ID       string    `json:"id,omitempty"`
	Creator  string    `json:"creator_id,omitempty"`
	Status   int       `json:"status,omitempty"`
	Canceled []skipped `json:"guild_scheduled_event_exceptions,omitempty"`
}

// location is where an external event takes place.
type location struct {
	Text string `json:"location"`
}

// repeats says when an event recurs. Weekdays are by UTC, 0 is Monday.
type repeats struct {
	Start     time.Time `json:"start"`
	Frequency int       `json:"frequency"`
	Interval  int       `json:"interval"`
	Weekdays  []int     `json:"by_weekday"`
}

// skipped is one time at which an event does not take place as usual. The time is in its id.
type skipped struct {
	ID       string `json:"event_exception_id"`
	Canceled bool   `json:"is_canceled"`
}

// The states of events: taking place now, and the first of those that have ended.
const (
	eventActive = 2
	eventEnded  = 3
)

// eventOf returns the event of e, which links to channel of the server guild. Discord repeats events by UTC.
func eventOf(guild, channel string, e chat.Occasion) scheduled {
	start, about := e.Start.UTC().Truncate(time.Second), strings.ReplaceAll(e.About, string(linkMark), "")
	return scheduled{
		Name:  cmp.Or(strings.TrimSpace(clip(clean(e.Title), longestTitle)), "…"),
		About: strings.TrimSpace(clip(strings.Join(escapedLines(about), "\n"), longestAbout)),
		Start: start, End: start.Add(eventLength), Privacy: 2, Kind: 3,
		Where:   location{"https://discord.com/channels/" + guild + "/" + channel},
		Repeats: repeats{start, 2, 1, []int{(int(start.Weekday()) + 6) % 7}},
	}
}

// fingerprint returns a hash of all that people see of the event and can change. It is the same each week.
func (s scheduled) fingerprint() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %v %d %d %v", s.Name, s.About, s.Where.Text,
		s.Start.Unix()%int64(week.Seconds()), s.End.Sub(s.Start), s.Repeats.Frequency, s.Repeats.Interval,
		s.Repeats.Weekdays))
	return hex.EncodeToString(sum[:8])
}

// Schedule creates the event of e, or changes it. The id that it returns also holds the event's fingerprint, by which
// changes of other people are found, and the exceptions that the bot has added. An event whose creation had no response
// is found again. While the evening takes place, Discord allows no other time: the error is a chat.Later.
func (d *Discord) Schedule(ctx context.Context, place chat.Place, e chat.Occasion) (event string, err error) {
	guild, channel, err := eventPlace(place)
	if err != nil {
		return "", err
	}
	want := eventOf(guild, channel, e)
	known := append(strings.Fields(e.Event), "", "") // id, fingerprint, exceptions
	found, err := d.findEvent(ctx, guild, known[0], want)
	switch at := found.fingerprint(); {
	case err != nil:
		return "", err
	case found.ID == "":
		err = d.callEvents(ctx, http.MethodPost, discordgo.EndpointGuildScheduledEvents(guild), want, &found)
	case at == want.fingerprint():
	case at != known[1]:
		return "", fmt.Errorf("event was changed by others: %w", chat.ErrGone)
	case found.Status == eventActive:
		return "", chat.Later{After: max(time.Until(found.End), time.Minute)}
	default:
		endpoint := discordgo.EndpointGuildScheduledEvent(guild, found.ID)
		err = d.callEvents(ctx, http.MethodPatch, endpoint, want, &found)
	}
	if err != nil {
		return "", err
	}
	ours, err := d.skip(ctx, guild, found, e, known[2:])
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{found.ID, found.fingerprint()}, ours...), " "), nil
}

// findEvent returns the event with this id in the server guild. For "" it returns an event of the bot that is equal to
// want, the zero value if there is none.
func (d *Discord) findEvent(ctx context.Context, guild, id string, want scheduled) (found scheduled, err error) {
	if id != "" {
		err = d.callEvents(ctx, http.MethodGet, discordgo.EndpointGuildScheduledEvent(guild, id), nil, &found)
		if err == nil && found.Status >= eventEnded {
			err = fmt.Errorf("event has ended: %w", chat.ErrGone)
		}
		return found, err
	}
	me := d.me.Load()
	if me == nil {
		return found, errors.New("discord: the bot does not know its id yet")
	}
	var all []scheduled
	err = d.callEvents(ctx, http.MethodGet, discordgo.EndpointGuildScheduledEvents(guild), nil, &all)
	i := slices.IndexFunc(all, func(s scheduled) bool {
		return s.Creator == me.ID && s.Status < eventEnded && s.fingerprint() == want.fingerprint()
	})
	if err != nil || i < 0 {
		return found, err
	}
	return all[i], nil
}

// skip adds an exception to the event s for each time that e leaves out, and removes those in ours, which the bot has
// added before, for other times. It leaves the exceptions of other people, and those for times that have begun. It
// returns the ids of all that the bot has added.
func (d *Discord) skip(ctx context.Context, guild string, s scheduled, e chat.Occasion, ours []string) (
	still []string, err error) {
	endpoint := discordgo.EndpointGuildScheduledEvent(guild, s.ID) + "/exceptions"
	for _, x := range s.Canceled {
		at, err := discordgo.SnowflakeTimestamp(x.ID)
		if err != nil || !slices.Contains(ours, x.ID) || at.Before(e.Start) {
			continue
		}
		if slices.ContainsFunc(e.Skipped, at.Equal) {
			still = append(still, x.ID)
			continue
		}
		err = d.callEvents(ctx, http.MethodDelete, endpoint+"/"+x.ID, nil, nil)
		if err != nil && !errors.Is(err, chat.ErrGone) {
			return nil, err
		}
	}
	for _, at := range e.Skipped {
		is := func(x skipped) bool {
			known, err := discordgo.SnowflakeTimestamp(x.ID)
			return err == nil && known.Equal(at)
		}
		// A past evening, or one at another time by UTC, is none of the event's times.
		if at.Before(s.Start) || at.Sub(s.Start)%week != 0 || slices.ContainsFunc(s.Canceled, is) {
			continue
		}
		var made skipped
		request := map[string]any{"original_scheduled_start_time": at.UTC(), "is_canceled": true}
		if err := d.callEvents(ctx, http.MethodPost, endpoint, request, &made); err != nil {
			return nil, err
		}
		still = append(still, made.ID)
	}
	return still, nil
}

// Unschedule deletes an event of the bot, unless other people have changed it.
func (d *Discord) Unschedule(ctx context.Context, place chat.Place, event string) error {
	guild, _, err := eventPlace(place)
	known := append(strings.Fields(event), "", "")
	if err != nil || known[0] == "" {
		return err
	}
	found, err := d.findEvent(ctx, guild, known[0], scheduled{})
	if err == nil && found.fingerprint() == known[1] {
		endpoint := discordgo.EndpointGuildScheduledEvent(guild, found.ID)
		err = d.callEvents(ctx, http.MethodDelete, endpoint, nil, nil)
	}
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	return err
}

// eventPlace returns the ids of place's server and channel. Outside of servers the error is chat.ErrAway.
func eventPlace(place chat.Place) (guild, channel string, err error) {
	channel, err = parsePlace(place)
	guild, _, _ = strings.Cut(strings.TrimPrefix(string(place), name+":"), ":")
	if err == nil && !isSnowflake(guild) {
		err = chat.ErrAway
	}
	return guild, channel, err
}

// callEvents makes a request about events. Refusals become errors of package chat: ErrGone (no such event, or it has
// ended), ErrAway (the bot may not, or the server has too many events) or Later.
func (d *Discord) callEvents(ctx context.Context, method, endpoint string, body, out any) error {
	err := d.rest.call(ctx, true, method, endpoint, body, out)
	refused, ok := refusalOf(err)
	switch {
	case !ok:
		return err
	case refused.Code == discordgo.ErrCodeUnknownGuildScheduledEvent,
		refused.Code == discordgo.ErrCodeCannotUpdateAFinishedEvent,
		refused.Status == http.StatusNotFound && strings.Contains(endpoint, "/exceptions"):
		return fmt.Errorf("%w: %w", chat.ErrGone, err)
	case refused.Code == discordgo.ErrCodeMaximumNumberOfUncompletedGuildScheduledEventsReached:
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return d.translateError("events", method, err)
}
