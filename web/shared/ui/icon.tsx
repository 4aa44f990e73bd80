/** The pages' icons, drawn as strokes in a 24×24 box. */
const PATHS = {
  all: 'M4 6h16M4 12h16M4 18h10',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5',
  mention: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM16 8v5.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5',
  star: 'M12 3.5l2.6 5.3 5.9.9-4.3 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L3.5 9.7l5.9-.9z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM19 12a7 7 0 0 0-.1-1.2l2-1.5-2-3.5-2.4 1a7 7 0 0 0-2-1.2L14 3h-4l-.5 2.6a7 7 0 0 0-2 1.2l-2.4-1-2 3.5 2 1.5A7 7 0 0 0 5 12c0 .4 0 .8.1 1.2l-2 1.5 2 3.5 2.4-1a7 7 0 0 0 2 1.2L10 21h4l.5-2.6a7 7 0 0 0 2-1.2l2.4 1 2-3.5-2-1.5c.1-.4.1-.8.1-1.2z',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  hash: 'M9 4L7 20M17 4l-2 16M4 9h16M3 15h16',
  megaphone: 'M4 10v4l11 4V6zM15 8.5a3.5 3.5 0 0 1 0 7M7 15v4h3v-3',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 14a4 4 0 0 0 7 0M9 9.5v.5M15 9.5v.5',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  quote: 'M5 7h5v6H7c0 2 1 3 3 3M14 7h5v6h-3c0 2 1 3 3 3',
  reply: 'M10 8V4L3 11l7 7v-4c5 0 8 1.5 11 5-1-6-4-11-11-11z',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  send: 'M4 12l16-8-6 16-3-6z',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20a7 7 0 0 1 14 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 13.5a7 7 0 0 1 4 6.5',
  bot: 'M6 9h12v10H6zM12 9V5M9 13v2M15 13v2M4 12v4M20 12v4',
  follow: 'M4 12a8 8 0 1 1 8 8M4 12a8 8 0 0 0 8 8M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  bell: 'M6 17h12l-1.5-2V10a4.5 4.5 0 0 0-9 0v5zM10 20h4',
  mute: 'M5 9v6h3l5 4V5L8 9zM16 9l5 6M21 9l-5 6',
  folder: 'M3 6h6l2 2h10v11H3z',
  archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 13h4',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  blank: '',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  strike:
    'M4 12h16M16.5 8c-.4-1.8-2-3-4.5-3-2.6 0-4.2 1.3-4.2 3.2 0 1 .4 1.8 1.2 2.4M7.5 16c.4 1.8 2 3 4.5 3 2.6 0 4.2-1.3 4.2-3.2 0-.6-.1-1.2-.4-1.6',
  code: 'M9 8l-4 4 4 4M15 8l4 4-4 4',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  eyeOff:
    'M3 3l18 18M10 5.2A10 10 0 0 1 12 5c6 0 10 7 10 7a18 18 0 0 1-3 3.6M6 7.4A17 17 0 0 0 2 12s4 7 10 7a9.6 9.6 0 0 0 4.5-1.2',
  poll: 'M5 19v-7M12 19V5M19 19v-4',
  formula: 'M17 7V4H6l6 8-6 8h11v-3',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  video: 'M3 7h11v10H3zM14 11l7-3.5v9L14 13',
  format: 'M3 18L7.5 6 12 18M4.5 14h6M20.5 18v-7M20.5 14.5a3 3 0 1 0-6 0 3 3 0 0 0 6 0',
  chevron: 'M9 6l6 6-6 6',
  down: 'M12 4v15M6 13l6 6 6-6',
  up: 'M12 20V5M6 11l6-6 6 6',
  check: 'M5 12l5 5 9-10',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10',
  door: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  book: 'M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  phone: 'M6 3h4l2 5-2.5 1.5a11 11 0 0 0 5 5L16 12l5 2v4a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  offline: 'M3 3l18 18M5 12a10 10 0 0 1 4-2.5M14 9.2A10 10 0 0 1 19 12M8.5 15.5a5 5 0 0 1 6 0M12 19h.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18, filled = false }: { name: IconName; size?: number; filled?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
