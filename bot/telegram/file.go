package telegram

import (
	"context"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// handed sends a file to a person's private chat and returns the text for the chat where they asked; "": none.
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
		t.log.Warn("send file failed", "error", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.username == "" {
		return r.Unsent
	}
	return r.Unsent + " https://t.me/" + t.username + "?start=mydata"
}

// confide sends a message to a person's private chat. It returns false if they have not opened one, or if that takes
// longer than a press may wait.
func (t *Telegram) confide(ctx context.Context, user int64, m chat.Message) bool {
	ctx, cancel := context.WithTimeout(ctx, confideTime)
	defer cancel()
	err := t.budget.answer(ctx, user, func() error {
		_, err := t.put(ctx, "sendMessage", m, written(user, m))
		return t.judge(user, err)
	})
	if _, refused := refusalOf(err); err != nil && !refused {
		t.log.Debug("send direct message failed", "error", err)
	}
	return err == nil
}

// confideTime is how long a press may wait for a private message: the whole chat waits with it.
const confideTime = 3 * time.Second

// document sends a file with its message.
func (t *Telegram) document(ctx context.Context, chat int64, m chat.Message) error {
	params := tg.Params{"chat_id": decimal(chat), "caption": html(lines(m), longestCaption), "parse_mode": "HTML"}
	_, err := t.client.call(ctx, "sendDocument", params,
		tg.RequestFile{Name: "document", Data: tg.FileBytes{Name: m.File.Name, Bytes: m.File.Bytes}})
	return err
}

// first returns the command behind "start" in a link to the bot, else help.
func first(text string) string {
	if strings.TrimSpace(text) == "mydata" {
		return "mydata"
	}
	return "help"
}
