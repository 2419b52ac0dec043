"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [TABLE, LINE, DECK, SEATS, SCORES, RANKS, ROUNDS, MOVES, START, CUT, SEAT, REASON] = Array(12).keys();
  const PAGE = 50;
  const COLOURS = 8;
  const players = data.games[0][SEATS].length;
  const number = new Intl.NumberFormat("en");
  const find = (id) => document.getElementById(id);
  const signed = (value) => (value < 0 ? "\u2212" + -value : String(value));
  const ordinal = (rank) => rank + (["", "st", "nd", "rd"][rank] || "th");

  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // Filters of the list.
  const shared = (game) => game[RANKS].filter((rank) => rank === 1).length > 1;
  const kinds = [
    ["cut off", (game) => game[CUT] === 1],
    ["shared first place", shared],
    ["forfeits", (game) => game.length > SEAT],
  ].filter(([, test]) => data.games.some(test));

  const columns = [
    { title: "Deck", key: (game) => game[DECK] },
    ...Array.from({ length: players }, (_, seat) => ({
      title: "Seat " + seat, key: (game) => game[SCORES][seat], start: true, descending: true,
    })),
    { title: "Rounds", key: (game) => game[ROUNDS] },
    { title: "Moves", key: (game) => game[MOVES] },
    { title: "Record", key: (game) => game[TABLE] * 1e9 + game[LINE], start: true },
  ];

  const form = find("filters");
  const fields = form.elements;
  let chosen = data.games;
  let page = 0;
  let sorting = { column: columns.length - 1, descending: false };

  for (const name of ["agent", "other", "winner"])
    data.agents.forEach((agent, index) => fields[name].append(new Option(agent, index)));
  kinds.forEach(([title], index) => fields.kind.append(new Option(title, index)));
  fields.kind.parentElement.hidden = kinds.length === 0;

  function choose() {
    const agent = fields.agent.value === "" ? null : Number(fields.agent.value);
    const other = fields.other.value === "" ? null : Number(fields.other.value);
    const winner = fields.winner.value === "" ? null : Number(fields.winner.value);
    const deck = fields.deck.value === "" ? null : Number(fields.deck.value);
    const kind = fields.kind.value === "" ? null : kinds[fields.kind.value][1];
    chosen = data.games.filter((game) => {
      if (deck !== null && game[DECK] !== deck) return false;
      if (agent !== null && !game[SEATS].includes(agent)) return false;
      if (other !== null && !game[SEATS].some((at, seat) => at === other && (agent !== other || seat !== game[SEATS].indexOf(agent)))) return false;
      if (winner !== null && !game[SEATS].some((at, seat) => at === winner && game[RANKS][seat] === 1)) return false;
      return kind === null || kind(game);
    });
    const { key } = columns[sorting.column];
    const way = sorting.descending ? -1 : 1;
    chosen.sort((one, two) => way * (key(one) - key(two)) || one[TABLE] - two[TABLE] || one[LINE] - two[LINE]);
    page = 0;
    show();
  }

  function seatCell(game, seat) {
    const agent = game[SEATS][seat];
    const cell = element("td", undefined, "seat");
    if (game[RANKS][seat] === 1) cell.classList.add("won");
    if (game[START] === seat) cell.classList.add("first");
    const who = element("span", undefined, "who");
    who.append(element("span", undefined, "swatch agent-" + (agent % COLOURS)), data.agents[agent]);
    cell.append(who, element("small", `${signed(game[SCORES][seat])} points, ${ordinal(game[RANKS][seat])}`));
    if (game[SEAT] === seat) cell.append(element("small", "forfeit: " + game[REASON], "forfeit"));
    return cell;
  }

  function row(game) {
    const made = element("tr");
    made.append(element("td", number.format(game[DECK])));
    for (let seat = 0; seat < players; seat++) made.append(seatCell(game, seat));
    const rounds = element("td", number.format(game[ROUNDS]));
    if (game[CUT]) rounds.append(element("span", "cut off", "mark"));
    const record = element("td", undefined, "record");
    const file = data.files[game[TABLE]];
    const link = element("a", "line " + number.format(game[LINE]));
    link.href = file.link;
    link.title = file.name;
    const replay = data.replays[`${game[TABLE]}.${game[LINE]}`];
    const more = element("button", replay ? "Record" : "Show");
    more.type = "button";
    more.setAttribute("aria-label", `Show the record of ${file.name}, line ${game[LINE]}`);
    more.addEventListener("click", () => open(game));
    if (replay) {
      const watch = element("a", "Show", "button");
      watch.href = replay;
      watch.setAttribute("aria-label", `Show the game of ${file.name}, line ${game[LINE]}, to step through it`);
      record.append(watch, " ");
    }
    record.append(more, " ", link);
    made.append(rounds, element("td", number.format(game[MOVES])), record);
    return made;
  }

  function show() {
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    const first = page * PAGE;
    find("rows").replaceChildren(...chosen.slice(first, first + PAGE).map(row));
    const last = Math.min(first + PAGE, chosen.length);
    find("position").textContent = chosen.length
      ? `${number.format(first + 1)} to ${number.format(last)} of ${number.format(chosen.length)} games`
      : "no matching games";
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = button.dataset.go === "first" || button.dataset.go === "previous";
      button.disabled = back ? page === 0 : page === pages - 1;
    }
    find("headings").querySelectorAll("th").forEach((heading, index) => {
      const here = index === sorting.column;
      if (here) heading.setAttribute("aria-sort", sorting.descending ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
      heading.querySelector("span").textContent = here ? (sorting.descending ? " ↓" : " ↑") : "";
    });
  }

  columns.forEach((column, index) => {
    const heading = element("th", undefined, column.start ? "" : "right");
    heading.scope = "col";
    const button = element("button", column.title);
    button.type = "button";
    const arrow = element("span");
    arrow.setAttribute("aria-hidden", "true");
    button.append(arrow);
    button.addEventListener("click", () => {
      const again = sorting.column === index;
      sorting = { column: index, descending: again ? !sorting.descending : Boolean(column.descending) };
      choose();
    });
    heading.append(button);
    find("headings").append(heading);
  });

  form.addEventListener("input", choose);
  form.addEventListener("reset", () => setTimeout(choose));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("[data-go]"))
    button.addEventListener("click", () => {
      const last = Math.max(0, Math.ceil(chosen.length / PAGE) - 1);
      page = { first: 0, previous: page - 1, next: page + 1, last }[button.dataset.go];
      page = Math.min(last, Math.max(0, page));
      show();
    });

  // Records

  const dialog = find("record");
  let shown = null;

  async function unpacked(game) {
    const chunk = data.records[game[TABLE]][Math.floor((game[LINE] - 1) / data.chunk)];
    const bytes = Uint8Array.from(atob(chunk), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return (await new Response(stream).text()).split("\n")[(game[LINE] - 1) % data.chunk];
  }

  async function open(game) {
    const file = data.files[game[TABLE]];
    shown = game;
    find("record-title").textContent = game[SEATS]
      .map((agent, seat) => `${data.agents[agent]} ${signed(game[SCORES][seat])}`).join(" · ");
    const link = element("a", file.name);
    link.href = file.link;
    find("record-place").replaceChildren("Line " + number.format(game[LINE]) + " of ", link, ". To watch the game:");
    find("record-command").textContent = `thurn replay ${file.path} --game ${game[LINE]}`;
    find("record-message").textContent = "";
    find("record-text").value = "";
    find("record-whole").hidden = data.records === null;
    dialog.showModal();
    if (data.records === null) return;
    try {
      const text = await unpacked(game);
      if (shown === game) find("record-text").value = text;
    } catch {
      find("record-message").textContent = "This browser cannot unpack the record; its line is in the file above.";
    }
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      find("record-message").textContent = what + " copied.";
    } catch {
      find("record-message").textContent = "This browser does not allow the page to copy; select the text and copy it.";
    }
  }

  find("copy-command").addEventListener("click", () => copy(find("record-command").textContent, "Command"));
  find("copy-record").addEventListener("click", () => copy(find("record-text").value, "Record"));
  find("download-record").addEventListener("click", () => {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([find("record-text").value + "\n"], { type: "application/json" }));
    link.download = data.files[shown[TABLE]].name.replace(/\.jsonl$/, "") + `-line-${shown[LINE]}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  find("game-list").hidden = false;
  choose();
})();
