// Package discordtest is a strict Discord server on the loopback.
//
// It plays Discord for tests and for load: real HTTP, a real gateway over WebSocket that can be dropped, resumed,
// invalidated and asked to reconnect, servers with channels and threads, people who type commands and press buttons.
// It checks each request against our description of Discord's API first (Spec, api.txt) and then against the rules
// that it cannot express: one answer to an interaction, within three seconds; forty components; no two buttons alike;
// limited edits of old messages. An invalid request gets Discord's answer and is recorded as a Violation.
//
// A test acts for people (Channel.Slash, Channel.Press), waits for what they see (Interaction.Answer, Server.Wait,
// Channel.Messages), and fails at its end on any Violation.
package discordtest
