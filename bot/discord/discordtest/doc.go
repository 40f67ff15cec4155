// Package discordtest is a strict Discord on this machine's loopback.
//
// It plays Discord for tests and for load: real HTTP, a real gateway over
// WebSocket that can be dropped, resumed, invalidated and asked to reconnect,
// servers with channels and threads, people who type commands and press
// buttons. Whatever a bot sends is held against our description of Discord's API
// first (Spec, api.txt) and then against the rules that it cannot express: one
// answer to an interaction, within three seconds; forty components; no two
// buttons alike; edits of old messages counted. A request that breaks one is answered as Discord answers
// it and remembered as a Violation.
//
// A test says what people do (Channel.Slash, Channel.Press), waits for what
// they see (Interaction.Answer, Server.Wait, Channel.Messages), and finds at
// its end that there is no Violation.
package discordtest
