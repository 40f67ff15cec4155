package sheet

// faceNames are the names of the rows that count one face.
var faceNames = [sides]string{"ones", "twos", "threes", "fours", "fives", "sixes"}

// Faces are six rows, each the sum of the dice that show one face: ones to sixes.
func Faces() []Row {
	var rows []Row
	for i, name := range faceNames {
		rows = append(rows, Row{Name: name, Points: Points{Count: OfFace, Face: i + 1}})
	}
	return rows
}
