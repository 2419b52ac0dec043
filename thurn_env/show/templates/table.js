"use strict";
// The people at a table: whose turn it is, who left, the clock, links, and after the end the rematch.
(() => {
  const { find, data, ask, passes, element, remembered, remember, rememberSeat, copier } = thurn;
  const title = document.title;
  let latest = null; // the latest state from the server
  let due = null; // when the clock of this decision runs out, in milliseconds
  let sounds = null; // plays sounds, after a gesture has allowed it

  document.addEventListener("news", ({ detail }) => {
    const before = latest;
    latest = detail;
    due = detail.clock === null ? null : performance.now() + 1000 * detail.clock;
    const mine = Boolean(detail.turn);
    document.title = mine ? `Your turn \u2013 ${title}` : title;
    if (mine && before && !before.turn) ring();
    seats();
    tick();
    if (detail.seat !== null) rememberSeat(data.address, data.title);
  });

  const reasons = { left: "left", open: "empty seat", failed: "failed" };

  function seats() {
    find("seats").replaceChildren(
      ...latest.seats.map((seat, place) => {
        const item = element("li", data.names[place]);
        if (place === latest.seat) item.append(" (you)");
        if (place === latest.to_move && !latest.over) item.className = "now";
        if (seat.absent && latest.seat !== null) item.append(" ", excuser(place));
        if (seat.stand_in) item.append(element("span", ` ${reasons[seat.reason]}: ${seat.stand_in} plays`, { className: "facts" }));
        return item;
      }),
    );
    const own = latest.seat === null || latest.over ? null : latest.seats[latest.seat];
    find("leave").hidden = !own || Boolean(own.stand_in);
    find("return").hidden = !own || !own.stand_in;
  }

  // A button for another person's seat.
  function excuser(place) {
    const button = element("button", "absent: let a bot play", { type: "button" });
    button.addEventListener("click", () => act("/leave", { seat: place }));
    return button;
  }

  // Such as 1:00:09 or 9:59.
  function inWords(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const [first, ...rest] = parts[0] ? parts : parts.slice(1);
    return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
  }

  function tick() {
    const left = due === null ? null : Math.max(0, Math.ceil((due - performance.now()) / 1000));
    find("clock").textContent = left === null ? "" : `${inWords(left)} left for this decision`;
  }

  // Two short notes.
  function ring() {
    if (!sounds || !find("sound").checked) return;
    [660, 880].forEach((pitch, place) => {
      const tone = new OscillatorNode(sounds, { frequency: pitch });
      const volume = new GainNode(sounds, { gain: 0.1 });
      const start = sounds.currentTime + 0.18 * place;
      volume.gain.setTargetAtTime(0, start + 0.1, 0.03);
      tone.connect(volume).connect(sounds.destination);
      tone.start(start);
      tone.stop(start + 0.3);
    });
  }

  // A browser allows sounds only after a gesture.
  function allow() {
    if (find("sound").checked && !sounds) sounds = new AudioContext();
  }

  async function act(path, body) {
    try {
      await ask(data.address + path, body);
      document.dispatchEvent(new Event("refresh"));
    } catch (error) {
      find("message").textContent = error.message;
    }
  }

  let following = false; // whether the page asks for a rematch
  let next = null; // the own link at the table of the rematch

  // After the end, offer a rematch, and learn whether somebody else has set one up.
  document.addEventListener("over", () => {
    offer();
    if (following) return;
    following = true;
    follow("");
  });

  function offer() {
    find("rematch").hidden = !data.rematch && !next;
    if (next) find("rematch").textContent = latest.seat === null ? "Watch the rematch" : "Join the rematch";
  }

  async function follow(version) {
    // A browser has few connections to a server, so a hidden tab does not hold one.
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => follow(version), { once: true });
      return;
    }
    try {
      const table = await ask(`${data.address}/table${version && `?since=${version}`}`);
      next = table.rematch;
      offer();
      const people = table.seats.filter((seat) => seat.person && seat.reason !== "open");
      if (!next && people.length > 1) follow(table.version);
    } catch (error) {
      // A table that has been closed has no rematch.
      if (passes(error)) setTimeout(follow, error.pause || 5000, version);
    }
  }

  async function rematch() {
    find("rematch").disabled = true;
    find("status").textContent = "Preparing the game.";
    try {
      location.assign(next ?? (await ask(`${data.address}/rematch`, {})).address);
    } catch (error) {
      find("message").textContent = error.message;
      find("status").textContent = "";
      find("rematch").disabled = false;
    }
  }

  find("rematch").addEventListener("click", rematch);
  find("sound").checked = remembered("sound", false);
  find("sound").addEventListener("change", () => {
    remember("sound", find("sound").checked);
    allow();
  });
  document.addEventListener("pointerdown", allow);
  document.addEventListener("keydown", allow);
  find("leave").addEventListener("click", () => act("/leave", {}));
  find("return").addEventListener("click", () => act("/return", {}));
  if (data.watching) find("links").append(copier("Copy link to watch", data.watching));
  setInterval(tick, 500);
})();
