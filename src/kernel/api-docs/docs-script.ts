/** The browser script of documentation pages: applies the colours chosen in the chat, and searches while typing. */
export const DOCS_SCRIPT = `'use strict';
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem('partyline:appearance');
  } catch {}
  const system = matchMedia('(prefers-color-scheme: dark)');
  const colour = () => {
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
    root.classList.toggle('dark-mode', isDark);
  };
  system.addEventListener('change', colour);
  colour();

  const MAX = 12;
  let index;
  const load = () => (index ??= fetch('/docs/index.json').then((answer) => answer.json()));
  addEventListener('DOMContentLoaded', () => {
    const box = document.getElementById('search');
    const list = document.getElementById('found');
    const show = async () => {
      const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
      const entries = words.length === 0 ? [] : await load();
      const fits = ({ title, hint }) => words.every((word) => (title + ' ' + hint).toLowerCase().includes(word));
      list.replaceChildren(...entries.filter(fits).slice(0, MAX).map(item));
    };
    const item = ({ title, hint, url }) => {
      const link = document.createElement('a');
      const note = document.createElement('small');
      note.textContent = hint;
      link.href = url;
      link.append(title, note);
      const entry = document.createElement('li');
      entry.append(link);
      return entry;
    };
    box.addEventListener('input', () => void show());
    list.addEventListener('click', () => list.replaceChildren());
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape') list.replaceChildren();
      if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
        event.preventDefault();
        box.focus();
      }
    });
  });
})();
`;
