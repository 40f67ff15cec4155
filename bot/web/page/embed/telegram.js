// Telegram's client around the page: its launch data, colours, safe areas and back button.

const root = document.documentElement;
const given = new URLSearchParams(location.hash.slice(1));
const frames = root.dataset.frames.split(" "); // the origins of the pages that may frame this one

/** tell sends an event to the client. */
function tell(type, data = {}) {
  if (globalThis.TelegramWebviewProxy) globalThis.TelegramWebviewProxy.postEvent(type, JSON.stringify(data));
  else if (parent !== globalThis) parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), frames[0]);
}

/** read returns the value of JSON from the client, {} if it cannot be read. */
function read(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** wear takes over the colours of the client: those of its ground and text, and whether it is dark. */
function wear({ bg_color: ground, text_color: text } = {}) {
  const [, r, g, b] = /^#(\w\w)(\w\w)(\w\w)$/.exec(ground ?? "") ?? [];
  if (!r) return;
  const light = [r, g, b].reduce((sum, part, i) => sum + parseInt(part, 16) * [0.299, 0.587, 0.114][i], 0);
  root.dataset.theme = light > 127 ? "light" : "dark";
  root.style.setProperty("--linen", ground);
  root.style.setProperty("--lamp", ground);
  if (/^#\w{6}$/.test(text ?? "")) root.style.setProperty("--ink", text);
}

const inner = {}; // the sizes of safe areas, by event

/** keepClear keeps the page clear of a safe area of the client. */
function keepClear(type, area) {
  inner[type] = area;
  for (const side of ["top", "bottom"]) {
    const sum = Object.values(inner).reduce((all, one) => all + (Number(one?.[side]) || 0), 0);
    root.style.setProperty(`--in-${side}`, `${sum}px`);
  }
}

let goBack = () => {};

const hears = {
  theme_changed: ({ theme_params: theme }) => wear(theme),
  safe_area_changed: (area) => keepClear("device", area),
  content_safe_area_changed: (area) => keepClear("client", area),
  back_button_pressed: () => goBack(),
};

/** hear takes an event of the client. */
function hear(type, data) {
  hears[type]?.((typeof data === "string" ? read(data) : data) ?? {});
}

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || !frames.includes(origin)) return;
  const { eventType, eventData } = read(data);
  hear(eventType, eventData);
});
// The names by which native clients look for the function.
globalThis.Telegram = { WebView: { receiveEvent: hear } };
globalThis.TelegramGameProxy = { receiveEvent: hear };
globalThis.TelegramGameProxy_receiveEvent = hear;

const signed = given.get("tgWebAppData") ?? "";

/** telegram is Telegram's client, as client.js describes clients. */
export const telegram = {
  stranger: "embed-stranger",
  visit: signed,
  renews: false,
  signed: () => signed,
  dress: () => {
    wear(read(given.get("tgWebAppThemeParams")));
    tell("web_app_request_safe_area");
    tell("web_app_request_content_safe_area");
  },
  ready: () => {
    tell("web_app_ready");
    tell("web_app_expand");
  },
  back: (shown, press = () => {}) => {
    goBack = press;
    tell("web_app_setup_back_button", { is_visible: shown });
  },
};
