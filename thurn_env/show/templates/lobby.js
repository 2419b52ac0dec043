"use strict";
// The start page: a form for a new table, and lists of tables.
(() => {
  const { find, data, ask, element, remembered, remember, rememberSeat } = thurn;

  const choose = (select, values, chosen) => {
    select.replaceChildren(...values.map((value) => element("option", value, { value, selected: value === chosen })));
  };
  const chosen = () => data.games.find((game) => game.name === find("game").value);
  const agents = () => [...find("seats").querySelectorAll("select")].map((select) => select.value);
  find("game").append(...data.games.map((game) => element("option", game.title, { value: game.name })));
  find("games").hidden = data.games.length < 2;
  find("name").value = remembered("name", "");

  // The options of the form, by name.
  function optionsNow() {
    const values = chosen().options.map(({ name, value }) => {
      const input = find("options").querySelector(`[name="${name}"]`);
      return [name, { boolean: input.checked, number: Number(input.value) }[typeof value] ?? input.value];
    });
    return Object.fromEntries(values);
  }

  // The agents for this board, number of players and options, with their strength in words.
  function agentsInWords() {
    const { strengths, models } = chosen();
    const now = optionsNow();
    const here = (model) =>
      model.board === find("board").value &&
      model.players === Number(find("players").value) &&
      Object.entries(model.options).every(([name, value]) => now[name] === value);
    const known = [...models.filter(here).map(({ spec, strength }) => [spec, strength]), ...Object.entries(strengths)];
    return new Map(known);
  }

  function seats() {
    const [strongest] = chosen().agents;
    const words = agentsInWords();
    const before = agents();
    find("seats").replaceChildren();
    for (let seat = 0; seat < Number(find("players").value); seat++) {
      const select = element("select", "");
      const kept = words.has(before[seat]) || before[seat] === data.human ? before[seat] : undefined;
      choose(select, [data.human, ...words.keys()], kept ?? (seat ? strongest : data.human));
      for (const option of select.options) {
        const strength = words.get(option.value);
        if (strength) option.textContent = `${option.value} (${strength})`;
      }
      select.addEventListener("change", people);
      const label = element("label", `Seat ${seat} `);
      label.dataset.explained = `${data.human}: a person. The others are agents, with what is known about their strength.`;
      label.append(select);
      find("seats").append(label);
    }
    people();
  }

  // With several people, the table waits for them.
  function people() {
    const several = agents().filter((agent) => agent === data.human).length > 1;
    find("several").hidden = !several;
    find("submit").textContent = several ? "Open table" : "Start game";
  }

  function options() {
    find("options").replaceChildren(
      ...chosen().options.map(({ name, value, meaning }) => {
        const yes = typeof value === "boolean";
        const input = element("input", "", { type: yes ? "checkbox" : typeof value === "number" ? "number" : "text" });
        input.name = name;
        if (yes) input.checked = value;
        else input.value = value;
        const label = element("label", "");
        const words = name.replaceAll("_", " ");
        label.append(input, element("span", words));
        label.dataset.explained = `${words}: ${meaning}.`;
        return label;
      }),
    );
  }

  function game() {
    const { boards, players } = chosen();
    choose(find("board"), boards, boards[0]);
    choose(find("players"), players.map(String), String(players[0]));
    options();
    seats();
  }

  // The tables that this browser sits at, open tables, and tables to watch.
  async function lists() {
    const mine = remembered("seats", []);
    try {
      const answer = await ask("/tables", { links: mine.map((seat) => seat.address) });
      const kept = mine.map((seat, index) => ({ ...seat, note: answer.mine[index] }));
      kept.filter((seat) => !seat.note).forEach((seat) => rememberSeat(seat.address));
      list("mine", kept.filter((seat) => seat.note));
      list("open", answer.open);
      list("watch", answer.watch);
    } catch {
      // The form works without lists.
    }
  }

  function list(id, tables) {
    find(id).hidden = !tables.length;
    find(id)
      .querySelector("ul")
      .replaceChildren(
        ...tables.map(({ title, address, note }) => {
          const item = element("li", "");
          item.append(element("a", title, { href: address }), note ? ` (${note})` : "");
          return item;
        }),
      );
  }

  find("game").addEventListener("change", game);
  find("players").addEventListener("change", seats);
  find("board").addEventListener("change", seats);
  find("options").addEventListener("change", seats);
  find("order").addEventListener("submit", async (event) => {
    event.preventDefault();
    const now = optionsNow();
    const changed = chosen().options.filter(({ name, value }) => now[name] !== value);
    const asked = Object.fromEntries(changed.map(({ name }) => [name, now[name]]));
    find("submit").disabled = true;
    find("message").textContent = "";
    find("status").textContent = "Preparing the game. The first game on a board compiles its rules, which takes up to a minute.";
    try {
      const name = find("name").value.trim();
      remember("name", name);
      const order = { game: chosen().name, board: find("board").value, agents: agents(), options: asked };
      if (name) order.name = name;
      if (find("clock").value) order.clock = Number(find("clock").value);
      for (const choice of ["hints", "listed"]) if (!find(choice).checked) order[choice] = false;
      location.assign((await ask("/games", order)).address);
    } catch (error) {
      find("message").textContent = error.message;
      find("status").textContent = "";
      find("submit").disabled = false;
    }
  });
  game();
  lists();
  addEventListener("pageshow", (event) => {
    find("submit").disabled = false;
    find("status").textContent = "";
    if (event.persisted) lists();
  });
})();
