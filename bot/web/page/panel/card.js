// The cards of answers: loaded with the first answer.

export { createCard } from "../board/card.js";
