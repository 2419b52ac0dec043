"use strict";
// Explanations of everything with `data-explained`: on hover, on focus, and on a long press.
thurn.explaining = (() => {
  const { find } = thurn;
  const HOVER = 350; // milliseconds until a hovered element is explained
  const PRESS = 500; // milliseconds until a pressed one is
  let timer = 0; // runs until a hovered or pressed element is explained
  let pointed = null; // the element under the mouse
  let held = false; // whether a press was long, so that its click does nothing

  const place = (event) => event.target.closest?.("[data-explained]") ?? null;

  // Explain an element beside it, above all dialogs.
  function explain(beside) {
    if (!beside.isConnected) return;
    const explained = find("explained");
    explained.textContent = beside.dataset.explained;
    (beside.control ?? beside).setAttribute("aria-describedby", "explained");
    explained.hidePopover();
    explained.showPopover();
    const { left, top, bottom } = beside.getBoundingClientRect();
    const { width, height } = explained.getBoundingClientRect();
    explained.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
    explained.style.top = `${top > height + 8 ? top - height - 6 : bottom + 6}px`;
  }

  function forget() {
    clearTimeout(timer);
    find("explained").hidePopover();
    for (const described of document.querySelectorAll("[aria-describedby=explained]")) {
      described.removeAttribute("aria-describedby");
    }
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const now = place(event);
    if (now === pointed) return;
    pointed = now;
    forget();
    // Places of a picture have titles, which browsers show by themselves.
    if (now && !now.closest("svg")) timer = setTimeout(explain, HOVER, now);
  });
  document.addEventListener("focusin", (event) => {
    const now = place(event);
    if (now && event.target.matches(":focus-visible")) explain(now);
  });
  document.addEventListener("focusout", forget);
  document.addEventListener("keydown", (event) => event.key === "Escape" && forget());

  // A long press explains an element instead of using it.
  document.addEventListener("pointerdown", (event) => {
    held = false;
    const now = place(event);
    forget();
    if (event.pointerType === "mouse" || !now) return;
    timer = setTimeout(() => {
      held = true;
      explain(now);
    }, PRESS);
  });
  for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => clearTimeout(timer));
  document.addEventListener(
    "click",
    (event) => {
      if (!held) return;
      held = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("contextmenu", (event) => held && event.preventDefault());

  return { forget };
})();
