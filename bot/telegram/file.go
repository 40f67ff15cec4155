package telegram

import (
	"context"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// handed sends a person a file in their own chat with the bot, and returns the text to show where
// they asked for it; "": none.
func (t *Telegram) handed(ctx context.Context, asked conversation, user int64, r chat.Reply) string {
	err := t.budget.answer(ctx, user, func() error { return t.judge(user, t.document(ctx, user, *r.Private)) })
	private := asked.Type == "private"
	switch {
	case err == nil && private:
		return ""
	case err == nil:
		return r.Toast
	}
	if _, refused := refusalOf(err); !refused || private {
		t.log.Warn("a file could not be given to somebody", "error", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.username == "" {
		return r.Unsent
	}
	return r.Unsent + " https://t.me/" + t.username + "?start=mydata"
}

// confide sends a person a message in their own chat with the bot. It returns false where they have
// not opened one, and where that takes longer than the answer to a press may.
func (t *Telegram) confide(ctx context.Context, user int64, m chat.Message) bool {
	ctx, cancel := context.WithTimeout(ctx, confideTime)
	defer cancel()
	err := t.budget.answer(ctx, user, func() error {
		_, err := t.put(ctx, "sendMessage", m, written(user, m))
		return t.judge(user, err)
	})
	if _, refused := refusalOf(err); err != nil && !refused {
		t.log.Debug("a message could not be given to somebody", "error", err)
	}
	return err == nil
}

// confideTime is how long a press may wait for a message elsewhere: those of the whole chat wait
// with it.
const confideTime = 3 * time.Second

// document sends a file with its message.
func (t *Telegram) document(ctx context.Context, chat int64, m chat.Message) error {
	params := tg.Params{"chat_id": decimal(chat), "caption": html(lines(m), longestCaption), "parse_mode": "HTML"}
	_, err := t.client.call(ctx, "sendDocument", params,
		tg.RequestFile{Name: "document", Data: tg.FileBytes{Name: m.File.Name, Bytes: m.File.Bytes}})
	return err
}

// first reads what stands behind "start" in a link to the bot: a command that
// the link is for, else help.
func first(text string) string {
	if strings.TrimSpace(text) == "mydata" {
		return "mydata"
	}
	return "help"
}
