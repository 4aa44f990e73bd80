/** Slash commands. Some create a special message; others only change the page. */
import { api } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { setAppearance, type Appearance } from '../../shared/ui/appearance';
import { toast } from '../../shared/ui/toasts';

interface Command {
  readonly name: string;
  readonly text: TextKey;
  /** Whether it takes arguments. */
  readonly takesWords: boolean;
}

export const COMMANDS: readonly Command[] = [
  { name: '/poll', text: 'command.poll', takesWords: true },
  { name: '/todo', text: 'command.todo', takesWords: false },
  { name: '/me', text: 'command.me', takesWords: true },
  { name: '/ping', text: 'command.ping', takesWords: false },
  { name: '/day', text: 'command.day', takesWords: false },
  { name: '/night', text: 'command.night', takesWords: false },
  { name: '/light', text: 'command.day', takesWords: false },
  { name: '/dark', text: 'command.night', takesWords: false },
];

const COLOURS = new Map<string, Appearance>([
  ['/day', 'light'],
  ['/light', 'light'],
  ['/night', 'dark'],
  ['/dark', 'dark'],
]);

/** The action of a command that only changes the page; undefined if the text is a message. */
export function commandIn(content: string): (() => Promise<void>) | undefined {
  const name = content.trim();
  if (name === '/ping') return ping;
  const colours = COLOURS.get(name);
  return colours && (() => changeColours(name, colours));
}

async function ping(): Promise<void> {
  const start = performance.now();
  await api.post('/zcommand', { command: '/ping' });
  toast(t('command.pong', { count: Math.round(performance.now() - start) }));
}

/** Also saved on the server for the user's other clients. */
async function changeColours(name: string, colours: Appearance): Promise<void> {
  setAppearance(colours);
  await api.post('/zcommand', { command: name });
}
