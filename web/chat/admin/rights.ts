/** To whom the organisation leaves something. The server decides; this says it before anything is tried. */
import { useChat, useSetting } from '../data/store';
import { moderates, type RoleName, roleOf, ROLES } from './roles';

/** Who is too new for the third, only the server knows. Nobody is named by no other number. */
const LEAST: Readonly<Record<number, RoleName>> = { 1: 'member', 2: 'admin', 3: 'member', 4: 'moderator' };

const useOwn = () => useChat((state) => state.people.get(state.ownId));

/** By the name of the setting, without `realm_`. */
export function useMay(setting: string): boolean {
  const own = useOwn();
  const least = LEAST[useSetting<number>(`realm_${setting}`, 1)];
  return own !== undefined && least !== undefined && ROLES[roleOf(own)] <= ROLES[least];
}

export const useModerates = (): boolean => moderates(useOwn());
