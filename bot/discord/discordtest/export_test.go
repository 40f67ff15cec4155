package discordtest

// CallbackPath is where the answer goes, without host, /api and version.
func (i *Interaction) CallbackPath() string {
	return "/interactions/" + i.id + "/" + i.token + "/callback"
}

// Token is the interaction's token.
func (i *Interaction) Token() string { return i.token }
