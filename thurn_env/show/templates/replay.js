"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const layers = [...document.querySelectorAll("[data-layer]")];
  const moves = [...document.querySelectorAll("[data-go]")];
  const last = data.labels.length - 1;
  const [first, end, width] = data.chart;
  const charts = [...document.querySelectorAll("svg.chart")];
  const cursors = [...document.querySelectorAll("svg .cursor")];
  const POLL = 1000;

  // For every viewer and position, the number of every layer's drawing.
  const films = data.films.map((changes) => {
    let shown = [];
    return changes.map((changed) => {
      shown = shown.slice();
      for (let i = 0; i < changed.length; i += 2) shown[changed[i]] = changed[i + 1];
      return shown;
    });
  });
  const current = layers.map(() => -1);
  let position = 0;
  let eyes = 0;
  let timer = null;
  let review = data.review;

  function show() {
    const shown = films[eyes][position];
    layers.forEach((layer, index) => {
      if (current[index] === shown[index]) return;
      current[index] = shown[index];
      layer.innerHTML = data.drawings[shown[index]];
    });
    find("label").textContent = data.drawings[data.labels[position]];
    find("position").value = position;
    find("count").textContent = `${position} / ${last}`;
    const x = first + ((end - first) * position) / Math.max(1, last);
    for (const cursor of cursors) cursor.setAttribute("transform", `translate(${x} 0)`);
    find("back").disabled = find("turn-back").disabled = position === 0;
    find("on").disabled = find("turn-on").disabled = position === last;
    mark();
    showReviewed();
    history.replaceState(null, "", `#move=${position}&as=${eyes}`);
  }

  // The move that led here, in the list and above the table.
  function mark() {
    const before = document.querySelector("[aria-current]");
    if (before) {
      before.removeAttribute("aria-current");
      before.closest("li").classList.remove("now");
    }
    const move = position ? moves[position - 1] : null;
    find("move").textContent = "";
    if (!move) return;
    const turn = move.closest("li");
    const list = find("turns");
    move.setAttribute("aria-current", "step");
    turn.classList.add("now");
    find("move").textContent = `${turn.querySelector(".who").textContent}: ${move.textContent}`;
    const bottom = turn.offsetTop + turn.offsetHeight;
    if (turn.offsetTop < list.scrollTop) list.scrollTop = turn.offsetTop;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  // The review: everything in it is drawn already. While the analysis runs, it comes again and again, more complete.
  function showReviewed() {
    if (!review) return;
    find("opinion").textContent = (position && review.opinions[position - 1]) || "";
    find("chances").textContent = review.chances[position] ?? "";
    const steps = mistakes();
    const passed = steps.filter((move) => move <= position).length;
    find("mistakes").textContent = steps.length ? `${passed} of ${steps.length}` : "none";
    find("mistake-back").disabled = !steps.some((move) => move < position);
    find("mistake-on").disabled = !steps.some((move) => move > position);
  }

  // The numbers of the moves that were mistakes of the chosen player.
  function mistakes() {
    const whose = find("whose").value;
    return review.marks.filter(([, seat]) => whose === "all" || seat === Number(whose)).map(([move]) => move);
  }

  function fillReview() {
    find("review-status").textContent = review.status;
    find("chance-lines").innerHTML = review.lines;
    find("players").innerHTML = review.players;
    find("legend").textContent = review.legend;
    find("legend").hidden = !review.legend;
    for (const old of document.querySelectorAll("#turns .mark")) old.remove();
    for (const [move, , sign] of review.marks) {
      const shown = document.createElement("b");
      shown.className = "mark";
      shown.textContent = ` ${sign}`;
      moves[move - 1].append(shown);
    }
    find("mistake-back").hidden = find("mistake-on").hidden = false;
  }

  async function follow() {
    try {
      const answer = await fetch(data.follow);
      const news = await answer.json();
      if (news.error) throw new Error(news.error);
      review = news;
      fillReview();
      mark();
      showReviewed();
      if (!review.done) setTimeout(follow, POLL);
    } catch (error) {
      const reason = error instanceof TypeError ? "the server does not answer; reload the page to go on." : error.message;
      find("review-status").textContent = `The review stopped: ${reason}`;
    }
  }

  function go(to) {
    position = Math.min(last, Math.max(0, to));
    show();
  }

  const turnOn = () => go(data.turns.find((start) => start > position) ?? last);
  const turnBack = () => go(data.turns.findLast((start) => start < position) ?? 0);

  function pause() {
    clearTimeout(timer);
    timer = null;
    find("play").classList.remove("playing");
    find("play").setAttribute("aria-label", "Play");
  }

  function tick() {
    timer = setTimeout(() => {
      go(position + 1);
      if (position === last) pause();
      else tick();
    }, Number(find("speed").value));
  }

  function play() {
    if (timer !== null) {
      pause();
      return;
    }
    if (position === last) go(0);
    find("play").classList.add("playing");
    find("play").setAttribute("aria-label", "Pause");
    tick();
  }

  const mistakeOn = () => go(mistakes().find((move) => move > position) ?? position);
  const mistakeBack = () => go(mistakes().findLast((move) => move < position) ?? position);

  const byHand = (act) => () => {
    pause();
    act();
  };
  const acts = {
    back: byHand(() => go(position - 1)),
    on: byHand(() => go(position + 1)),
    "turn-back": byHand(turnBack),
    "turn-on": byHand(turnOn),
    "mistake-back": byHand(() => review && mistakeBack()),
    "mistake-on": byHand(() => review && mistakeOn()),
    play,
  };
  for (const [id, act] of Object.entries(acts)) find(id).addEventListener("click", act);
  const keys = {
    ArrowLeft: acts.back,
    ArrowRight: acts.on,
    PageUp: acts["turn-back"],
    PageDown: acts["turn-on"],
    Home: byHand(() => go(0)),
    End: byHand(() => go(last)),
    n: acts["mistake-on"],
    p: acts["mistake-back"],
    " ": play,
  };
  document.addEventListener("keydown", (event) => {
    const other = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    const own = event.target.closest("select, input") || (event.key === " " && event.target.closest("button"));
    if (other || own || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  find("position").addEventListener("input", (event) => {
    pause();
    go(Number(event.target.value));
  });
  find("eyes").addEventListener("change", (event) => {
    eyes = Number(event.target.value);
    show();
  });
  find("turns").addEventListener("click", (event) => {
    const move = event.target.closest("[data-go]");
    if (!move) return;
    pause();
    go(Number(move.dataset.go));
  });
  for (const chart of charts) {
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      pause();
      go(Math.round(((x - first) / (end - first)) * last));
    });
  }

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const seen = Number(asked.get("as"));
    eyes = films[seen] ? seen : 0;
    find("eyes").value = eyes;
    go(Math.trunc(Number(asked.get("move"))) || 0);
  }
  window.addEventListener("hashchange", fromAddress);
  if (review) {
    fillReview();
    find("whose").addEventListener("change", showReviewed);
  }
  fromAddress();
  if (data.follow) follow();
})();
