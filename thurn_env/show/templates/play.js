"use strict";
(() => {
  const { find, data, ask, retry, element, explaining } = thurn;
  playPage();

  function playPage() {
    const layers = []; // by number; the page has the blocks in another order than the picture
    for (const layer of document.querySelectorAll("[data-layer]")) layers[layer.dataset.layer] = layer;
    const rooms = [...document.querySelectorAll("[data-targets]")];
    let latest = null; // the latest state from the server
    let moves = []; // all moves received from the server
    let frames = []; // positions that are still to be shown
    let busy = false;
    const MANY = matchMedia("(min-width: 62rem)").matches ? 12 : 9; // largest number of buttons, if folding helps

    function take(news) {
      const same = latest?.turn && String(latest.turn.legal) === String(news.turn?.legal) && !news.problem;
      if (same && !news.frames.length && find("actions").children.length) {
        // Somebody has left or returned: the buttons stay, with the focus, and so does a hint.
        latest = news;
        document.dispatchEvent(new CustomEvent("news", { detail: news }));
        wait();
        return;
      }
      moves = [...moves.slice(0, news.first), ...news.moves];
      const whole = news.frames.length === 1 && news.frames[0].changes.length === layers.length;
      if (whole) {
        frames = [];
        find("turns").replaceChildren();
        moves.forEach((move, index) => index < news.frames[0].position - 1 && list(move));
      }
      frames.push(...news.frames);
      latest = news;
      document.dispatchEvent(new CustomEvent("news", { detail: news }));
      clear();
      next();
    }

    // Show the next position; after the last one, let the player choose or wait for the others.
    function next() {
      const frame = frames.shift();
      if (!frame) {
        settle();
        return;
      }
      for (const [layer, drawing] of frame.changes) layers[layer].innerHTML = drawing;
      find("label").textContent = frame.label;
      find("whose").textContent = "";
      const move = moves[frame.position - 1];
      find("move").textContent = move ? `${data.names[move.seat]}: ${move.move}` : "";
      if (move) list(move);
      const others = move && move.seat !== latest.seat;
      const delay = Number(find("delay").value);
      if (others && delay && !document.hidden) setTimeout(next, delay);
      else next();
    }

    // Add a move to the list, to the last turn if it is the same player's.
    function list(move) {
      const turns = find("turns");
      let turn = turns.lastElementChild;
      if (turn) turn.classList.remove("now");
      if (!turn || Number(turn.dataset.seat) !== move.seat) {
        turn = element("li", "");
        turn.dataset.seat = move.seat;
        turn.append(
          element("span", move.round, { className: "round" }),
          element("span", move.seat, { className: `badge seat-${move.seat % data.colours}` }),
          element("span", data.names[move.seat], { className: "who" }),
          element("span", "", { className: "moves" }),
        );
        turns.append(turn);
      }
      turn.classList.add("now");
      turn.querySelector(".moves").append(element("span", move.move), " ");
      turns.scrollTop = turns.scrollHeight;
    }

    function clear() {
      for (const room of rooms) room.innerHTML = "";
      find("actions").replaceChildren();
      find("hint-text").textContent = "";
      for (const id of ["hint", "undo", "why"]) find(id).hidden = true;
      explaining.forget();
    }

    // The moves of the others since the player's last decision, such as `greedy: take Ulm, end`.
    function answers(since) {
      const turns = [];
      for (const { seat, move } of moves.slice(since)) {
        if (seat === latest.seat) continue;
        if (turns.at(-1)?.seat === seat) turns.at(-1).moves.push(move);
        else turns.push({ seat, moves: [move] });
      }
      return turns.map(({ seat, moves }) => `${data.names[seat]}: ${moves.join(", ")}`).join("; ");
    }

    const signed = (value) => (value < 0 ? `\u2212${-value}` : String(value));

    // The points of every player by source, and how the game ended.
    function end({ sources, scores, ranks, how }) {
      const cell = (value) => element("td", signed(value));
      const row = (name, values) => {
        const made = element("tr", "");
        made.append(element("th", name, { scope: "row" }), ...values.map(cell));
        return made;
      };
      const heads = data.names.map((name, seat) => {
        const head = element("th", "", { scope: "col", className: ranks[seat] === 1 ? "won" : "" });
        head.append(element("span", seat, { className: `badge seat-${seat % data.colours}` }), name);
        return head;
      });
      find("how").textContent = how;
      find("heads").replaceChildren(element("th", "points", { scope: "col" }), ...heads);
      find("sources").replaceChildren(...sources.map(([source, values]) => row(source, values)));
      find("sums").replaceChildren(element("th", "sum", { scope: "row" }), ...scores.map(cell));
      find("ranks").replaceChildren(element("th", "rank", { scope: "row" }), ...ranks.map(cell));
      find("end").hidden = false;
    }

    function settle() {
      const { turn, over, problem, note } = latest;
      // Without a new position, too: somebody may have left in the own turn.
      find("whose").textContent = turn ? `Your turn: ${turn.asked}` : "";
      if (turn) {
        find("label").textContent = `${turn.when[0].toUpperCase()}${turn.when.slice(1)}.`;
        find("move").textContent = answers(turn.since);
      }
      find("message").textContent = problem;
      find("status").textContent = turn || over || problem ? "" : note || `${data.names[latest.to_move]} is thinking`;
      find("record").hidden = find("review").hidden = !over;
      find("delay").parentElement.hidden = over;
      document.body.classList.toggle("over", over);
      if (over) {
        find("move").textContent = "";
        end(latest.end);
        document.dispatchEvent(new Event("over"));
      }
      if (turn) offer(turn);
      if (!over && !problem) wait();
    }

    let pointed = null; // the last hovered or focused button; its targets in the picture are highlighted

    // A button for actions; while it is hovered or focused, their targets in the picture are highlighted.
    function button(text, actions, onClick) {
      const made = element("button", text, { type: "button" });
      const indices = actions.map((action) => String(latest.turn.legal.indexOf(action)));
      const point = () => {
        pointed = made;
        for (const target of document.querySelectorAll("[data-actions]")) {
          target.classList.toggle("meant", target.dataset.actions.split(" ").some((index) => indices.includes(index)));
        }
      };
      const leave = () => {
        // The pointer may leave one button while another one has the focus.
        if (pointed !== made) return;
        pointed = null;
        for (const target of document.querySelectorAll(".meant")) target.classList.remove("meant");
      };
      made.dataset.explained = explanation(actions);
      made.addEventListener("click", onClick);
      for (const event of ["pointerenter", "focus"]) made.addEventListener(event, point);
      for (const event of ["pointerleave", "blur"]) made.addEventListener(event, leave);
      return made;
    }

    function explanation(actions) {
      const { legal, meanings } = latest.turn;
      const said = [...new Set(actions.map((action) => meanings[legal.indexOf(action)]))];
      const name = actions.length === 1 ? actions[0] : actions[0].split(" ")[0];
      return `${name}: ${said.slice(0, 3).join("; ")}.`;
    }

    async function why() {
      try {
        const { lines } = await ask(`${data.address}/why`);
        find("lines").replaceChildren(...lines.map((line) => element("p", line)));
        find("reasons").showModal();
        find("reasons").scrollTop = 0; // the focus goes to the button at the end
      } catch (error) {
        find("message").textContent = error.message;
      }
    }

    // The actions that share a button. Fold the largest groups of actions with the same first word until few are left.
    function grouped(legal) {
      const words = new Map();
      for (const action of legal) {
        const word = action.split(" ")[0];
        words.set(word, [...(words.get(word) ?? []), action]);
      }
      const folded = new Set();
      const most = [...words].filter(([, actions]) => actions.length > 1).sort(([, one], [, other]) => other.length - one.length);
      let buttons = legal.length;
      for (const [word, actions] of most) {
        if (buttons <= MANY) break;
        folded.add(word);
        buttons -= actions.length - 1;
      }
      return [...words].flatMap(([word, actions]) => (folded.has(word) ? [actions] : actions.map((action) => [action])));
    }

    // The actions of a target.
    const meant = (target) => target.dataset.actions.split(" ").map((index) => latest.turn.legal[index]);

    // A button for every action or group of actions.
    function offer(turn) {
      for (const room of rooms) room.innerHTML = turn.targets[room.dataset.targets] ?? "";
      for (const target of document.querySelectorAll("[data-actions]")) {
        target.dataset.explained = explanation(meant(target));
      }
      const groups = grouped(turn.legal);
      const buttons = groups.map((actions) => {
        const [action] = actions;
        if (actions.length === 1) return button(action, actions, () => play(action));
        const made = button(`${action.split(" ")[0]} … (${actions.length})`, actions, () => {
          const { left, top, width } = made.getBoundingClientRect();
          choose(actions, { clientX: left + width / 2, clientY: top });
        });
        return made;
      });
      find("actions").replaceChildren(...buttons);
      find("why").hidden = false;
      find("hint").hidden = !turn.hint;
      find("undo").hidden = !turn.undo;
      if (document.activeElement === document.body && played) buttons[0].focus({ preventScroll: true });
    }

    let played = false; // whether the player uses this page, so that the focus may be moved

    async function act(path, body) {
      if (busy) return;
      busy = true;
      find("message").textContent = "";
      clear();
      try {
        take(await ask(data.address + path, { move: latest.move, ...body }));
      } catch (error) {
        // The position has changed, for example in another window, or the server is gone: show the current state.
        await refresh().catch(settle);
        find("message").textContent = error.message;
      }
      busy = false;
    }

    function play(action) {
      played = true;
      return act("/moves", { action, since: latest.moment });
    }

    async function refresh() {
      take(await ask(`${data.address}/state`));
    }

    // Wait for news, also in the own turn: another tab or device may take it, and others may leave or return.
    async function wait() {
      const moment = latest.moment;
      // A browser has few connections to a server, so a hidden tab does not hold one in its own turn. It only tells the
      // server that the person is still there.
      if (latest.turn && document.hidden) {
        const telling = setInterval(() => ask(`${data.address}/why`).catch(() => {}), 20_000);
        const shown = () => {
          clearInterval(telling);
          if (latest.moment === moment) wait();
        };
        document.addEventListener("visibilitychange", shown, { once: true });
        return;
      }
      try {
        const news = await ask(`${data.address}/state?since=${moment}`);
        // The answer to an own move brings the same news.
        if (latest.moment !== moment || busy) return;
        if (news.moment === moment) {
          document.dispatchEvent(new CustomEvent("news", { detail: news }));
          wait();
        } else take(news);
      } catch (error) {
        retry(error, reconnect);
      }
    }

    // Show the current state as soon as the server answers.
    function reconnect() {
      refresh().catch((error) => retry(error, reconnect));
    }

    async function hint() {
      const { move } = latest;
      const said = (text) => {
        if (latest.move === move && latest.turn) find("hint-text").textContent = text;
      };
      find("hint").disabled = true;
      said("Computing a hint.");
      let again = true;
      while (again && latest.move === move && latest.turn) {
        again = false;
        try {
          said((await ask(`${data.address}/hint`, { move })).text);
        } catch (error) {
          said(error.message);
          // What the adviser needs may be compiled first.
          again = error.status === 503;
          if (again) await new Promise((resume) => setTimeout(resume, 500));
        }
      }
      find("hint").disabled = false;
    }

    async function review() {
      find("review").disabled = true;
      try {
        const { done, of, ready, note } = await ask(`${data.address}/review`, {});
        if (ready) {
          location.assign(`${data.address}/review`);
          return;
        }
        find("status").textContent = note || `reviewed ${done} of ${of} moves`;
        setTimeout(review, 500);
      } catch (error) {
        find("message").textContent = error.message;
        find("review").disabled = false;
      }
    }

    // Let the player choose one of the actions of a target or button.
    function choose(actions, event) {
      const choice = find("choice");
      choice.replaceChildren(
        ...actions.map((action) =>
          button(action, [action], () => {
            choice.close();
            play(action);
          }),
        ),
      );
      choice.showModal();
      const { width, height } = choice.getBoundingClientRect();
      choice.style.margin = "0";
      choice.style.left = `${Math.max(8, Math.min(event.clientX - width / 2, innerWidth - width - 8))}px`;
      choice.style.top = `${Math.max(8, Math.min(event.clientY + 12, innerHeight - height - 8))}px`;
    }

    document.addEventListener("click", (event) => {
      const target = event.target.closest("[data-actions]");
      if (!target || !latest.turn) return;
      const actions = meant(target);
      if (actions.length === 1) play(actions[0]);
      else choose(actions, event);
    });
    find("choice").addEventListener("click", (event) => event.target === find("choice") && find("choice").close());
    find("hint").addEventListener("click", hint);
    find("why").addEventListener("click", why);
    find("close").addEventListener("click", () => find("reasons").close());
    find("zoom").addEventListener("click", () => {
      const zoomed = document.querySelector(".sheet").classList.toggle("zoomed");
      find("zoom").setAttribute("aria-pressed", zoomed);
      find("zoom").textContent = zoomed ? "Whole map" : "Zoom";
    });
    find("undo").addEventListener("click", () => act("/undo", {}));
    find("review").addEventListener("click", review);
    find("record").href = `${data.address}/record`;
    // One gesture makes one decision: ignore the second click of a double click and repeats of a held key, which would
    // hit the next choice in the same place.
    const choices = "#actions, #choice, .sheet, .own, .supply, .players";
    const again = (event) => {
      if (!event.target.closest(choices)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("click", (event) => event.detail > 1 && again(event), true);
    document.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && again(event), true);
    // Keep a double click from selecting text, except in paragraphs and lists.
    document.addEventListener("mousedown", (event) => {
      if (event.detail > 1 && !event.target.closest("p, li")) event.preventDefault();
    });
    document.addEventListener("refresh", reconnect);
    document.addEventListener("keydown", (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest("select, input, dialog")) return;
      const button = { h: find("hint"), u: find("undo"), "?": find("why") }[event.key.toLowerCase()];
      if (button && !button.hidden) button.click();
    });
    reconnect();
  }
})();
