package chat

// Chart is what a picture of numbers is drawn from: lines, or bars.
type Chart struct {
	Bars bool `json:"bars,omitempty"`
	// Unit is what the values count, in small letters: "chips".
	Unit string `json:"unit"`
	// Labels are the places along the horizontal axis, and Below what they are: "after move".
	Labels []string `json:"labels"`
	Below  string   `json:"below"`
	Series []Series `json:"series"`
}

// Series are values that belong together.
type Series struct {
	Name string `json:"name"`
	// Last says the last value as people read it: "+120".
	Last string `json:"last,omitempty"`
	// Seat has the colour that the series is drawn in.
	Seat int `json:"seat"`
	// Values are as many as the chart has labels.
	Values []float64 `json:"values"`
}
