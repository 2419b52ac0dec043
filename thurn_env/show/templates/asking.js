"use strict";
// What all pages of the server share.
const thurn = (() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);

  // The answer of the server, or an error with its sentence.
  async function ask(address, body) {
    const posting = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(address, body === undefined ? {} : posting);
    const answer = await response.json().catch(() => ({ error: "The server sent an invalid response." }));
    if (response.ok) return answer;
    const pause = 1000 * Number(response.headers.get("Retry-After"));
    throw Object.assign(new Error(answer.error), { status: response.status, pause });
  }

  // Whether the same request may succeed later: the server was not reached, or has too much to do.
  const passes = ({ status }) => !status || [429, 502, 503, 504].includes(status);

  // Say what went wrong, and try it again later if that may help.
  function retry(error, action) {
    const again = `The server ${error.status ? "is busy" : "cannot be reached"}; trying again.`;
    find("message").textContent = passes(error) ? again : error.message;
    if (passes(error)) setTimeout(action, error.pause || 2000);
  }

  function element(name, text, properties) {
    return Object.assign(document.createElement(name), { textContent: text }, properties);
  }

  // What this browser remembers between visits; nothing if it forbids that.
  function remembered(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`thurn-${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  function remember(key, value) {
    try {
      localStorage.setItem(`thurn-${key}`, JSON.stringify(value));
    } catch {
      // The page works without it.
    }
  }

  // Remember a seat of this browser, or forget it if there is no title.
  function rememberSeat(address, title) {
    const others = remembered("seats", []).filter((seat) => seat.address !== address);
    remember("seats", (title ? [{ address, title }, ...others] : others).slice(0, 20));
  }

  // A button that copies a link, and says so. Without the right to do so, the link is shown to be copied by hand.
  function copier(text, address) {
    const link = new URL(address, location.href).href;
    const button = element("button", text, { type: "button", title: link });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(link);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = text), 1500);
      } catch {
        button.replaceWith(element("input", "", { value: link, readOnly: true, className: "link" }));
      }
    });
    return button;
  }

  return { find, data, ask, passes, retry, element, remembered, remember, rememberSeat, copier };
})();
