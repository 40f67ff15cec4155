// Discord's client around the page, which frames an activity: signing in by a code from the client.

const root = document.documentElement;
const { app = "" } = root.dataset; // the application's id, "" if the bot does not know it yet
const given = new URLSearchParams(location.search);
const visit = given.get("instance_id") ?? "";
const frames = root.dataset.frames.split(" "); // the origins of the client
const around = parent.opener ?? parent;
const [handshake, message] = [0, 1]; // kinds of messages
const patience = 20_000; // milliseconds for the client to get ready

/** tell sends a message to the client, and to no other page that may be around this one. */
function tell(kind, data) {
  if (around === globalThis) return;
  for (const origin of frames) around.postMessage([kind, data], origin);
}

const answers = new Map(); // functions that take the answer to a command, by its nonce

/** answerTo resolves to the client's answer to what has a nonce, null after an error. */
function answerTo(nonce) {
  return new Promise((done) => answers.set(nonce, done));
}

const isReady = answerTo("READY");
setTimeout(() => answers.get("READY")(null), patience);

addEventListener("message", ({ source, origin, data }) => {
  if (source !== around || !frames.includes(origin) || data?.[0] !== message) return;
  const { evt, nonce, data: answer } = data[1] ?? {};
  answers.get(nonce ?? evt)?.(evt === "ERROR" ? null : answer ?? {});
});

/** authorize resolves to a code that proves who the person is, "" if there is none. The client may have to ask the
 * person first, who may take long. */
async function authorize() {
  if (!await isReady) return "";
  const nonce = crypto.randomUUID();
  const answer = answerTo(nonce);
  const args = { client_id: app, response_type: "code", prompt: "none", scope: ["identify"] };
  tell(message, { cmd: "AUTHORIZE", args, nonce });
  return (await answer)?.code ?? "";
}

/** discord is Discord's client, as client.js describes clients. */
export const discord = {
  stranger: "embed-stranger-discord",
  visit,
  renews: true,
  signed: async () => {
    if (!app) {
      setTimeout(() => location.reload(), patience / 4);
      await new Promise(() => {});
    }
    return JSON.stringify({ code: around === globalThis ? "" : await authorize(), instance: visit });
  },
  dress: () => {
    for (const side of ["top", "bottom"]) {
      root.style.setProperty(`--in-${side}`, `var(--discord-safe-area-inset-${side}, env(safe-area-inset-${side}, 0px))`);
    }
    tell(handshake, { v: 1, encoding: "json", client_id: app, frame_id: given.get("frame_id") });
  },
  ready: () => {},
  back: () => {},
};
