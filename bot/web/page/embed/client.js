// The client around the page, which is one of a platform.

import { discord } from "./discord.js";
import { telegram } from "./telegram.js";

const { door } = document.documentElement.dataset;

/** client is the client around the page, with
 *
 * - name: the platform;
 * - stranger: the key of the sentence for people who may not look;
 * - visit: what changes with each visit, but not by a reload;
 * - signed(): resolves to what the page signs in with, which can be used once;
 * - renews: whether it is another each time;
 * - dress(): takes over the looks of the client;
 * - ready(): tells the client that the page can be seen, in its full height;
 * - back(shown, press): shows or hides the client's back button, which calls press(). */
export const client = { name: door, ...(door === "discord" ? discord : telegram) };
