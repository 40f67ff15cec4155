// Package telegramtest is a strict Bot API server on the loopback.
//
// It plays Telegram for tests and for load: real HTTP, real getUpdates with offsets and conflicts, groups that
// migrate, users who block, topics, and a test clock. It checks each request against our description of the Bot API
// first (Spec, api.txt) and then against the rules that it cannot express: HTML that parses, callbacks answered once,
// twenty sends and edits a minute in a group. An invalid request gets Telegram's answer and is recorded as a
// Violation.
//
// A test acts for people (Chat.Say, Chat.Press), waits for what they see (Server.Wait, Chat.Messages), and fails at
// its end on any Violation.
package telegramtest
