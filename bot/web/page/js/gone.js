// The page of a room that lets this browser in no more: it is taken off the list of rooms.

import "./look.js";
import { forgetRoom } from "./visited.js";

const [room = ""] = /^\/r\/[^/]+/.exec(location.pathname) ?? [];
forgetRoom(room.replace(/[^/]+$/, (address) => address.toUpperCase())); // as the server spells addresses
