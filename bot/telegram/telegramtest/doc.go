// Package telegramtest is a strict Bot API server on this machine's loopback.
//
// It plays Telegram for tests and for load: real HTTP, real getUpdates with
// offsets and conflicts, groups that migrate, users who block, topics, and a
// clock of one's own. Whatever a bot sends is held against our description of
// the Bot API first (Spec, api.txt) and then against the rules that it cannot
// express: HTML that parses, callbacks answered once, twenty sends and edits a
// minute in a group. A request that breaks one is answered
// as Telegram answers it and remembered as a Violation.
//
// A test says what people do (Chat.Say, Chat.Press), waits for what they see
// (Server.Wait, Chat.Messages), and finds at its end that there is no Violation.
package telegramtest
