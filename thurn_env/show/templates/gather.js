"use strict";
// A table before its start: people join, and one of them starts the game.
(() => {
  const { find, data, ask, retry, element, remembered, remember, rememberSeat, copier } = thurn;
  find("name").value = remembered("name", "");
  let shown = null; // the latest state from the server

  function show(table) {
    if (table.started) {
      location.reload();
      return;
    }
    shown = table;
    const sits = table.seat !== null;
    find("seats").replaceChildren(
      ...table.seats.map((seat, place) => {
        const you = place === table.seat ? " (you)" : "";
        return element("li", seat.open ? "open" : seat.name + you, { className: seat.open ? "facts" : "" });
      }),
    );
    const open = table.seats.filter((seat) => seat.open).length;
    find("join").hidden = !(data.invited && open) || sits;
    find("begin").hidden = find("leave").hidden = !sits;
    if (!find("links").children.length && table.links) {
      find("links").append(copier("Copy invitation", table.links.invitation), copier("Copy link to watch", table.links.watching));
    }
    const waiting = open ? `Waiting for ${open === 1 ? "one more person" : `${open} more people`}.` : "All seats are taken.";
    find("status").textContent = sits && open ? `${waiting} If you start now, ${table.stand_in} takes the open seats.` : waiting;
    if (sits) rememberSeat(data.address, data.title);
  }

  async function watch() {
    try {
      const since = shown ? `?since=${shown.version}` : "";
      show(await ask(`${data.address}/table${since}`));
      find("message").textContent = "";
      watch();
    } catch (error) {
      retry(error, watch);
    }
  }

  async function act(path, body) {
    try {
      find("message").textContent = "";
      return await ask(data.address + path, body);
    } catch (error) {
      find("message").textContent = error.message;
      return null;
    }
  }

  find("join").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = find("name").value.trim();
    remember("name", name);
    const seat = await act("/join", { name });
    if (!seat) return;
    rememberSeat(seat.address, data.title);
    location.assign(seat.address);
  });
  find("begin").addEventListener("click", async () => {
    find("begin").disabled = true;
    if (await act("/start", {})) location.reload();
    find("begin").disabled = false;
  });
  find("leave").addEventListener("click", async () => {
    if (!(await act("/leave", {}))) return;
    rememberSeat(data.address);
    location.assign("/");
  });
  watch();
})();
