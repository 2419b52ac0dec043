"use strict";
// The people at a table during the game: whose turn it is, who left, the clock, and links.
(() => {
  const { find, data, ask, element, remembered, remember, rememberSeat, copier } = thurn;
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
    find("your-turn").hidden = !mine;
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

  function tick() {
    const left = due === null ? null : Math.max(0, Math.ceil((due - performance.now()) / 1000));
    find("clock").textContent =
      left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left for this decision`;
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
