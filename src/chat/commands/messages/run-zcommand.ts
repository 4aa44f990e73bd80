/** Runs a slash command that a user typed. */
import type { Kernel } from '../../../kernel/kernel';
import { modeText, readZcommand } from '../../model/messages/zcommand';
import type { User } from '../../model/users/user';
import { updateSettings } from '../users/update-settings';

export async function runZcommand(kernel: Kernel, by: User, written: string): Promise<{ msg?: string }> {
  const command = readZcommand(written);
  if (command.kind === 'ping') return {};
  const changed = await updateSettings(kernel, by, 'display', { night_mode: command.isNight });
  return { msg: modeText(command, Object.keys(changed).length > 0) };
}
