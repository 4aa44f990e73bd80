/** Whether the panel of people is shown: beside the view where there is room, else as a drawer. */
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { readStored, writeStored } from '../data/stored';

const NAME = 'people-panel';
const ROOMY = '(min-width: 1180px)';

export const isShownBeside = (): boolean => readStored(NAME, true);

export const usePanel = create(() => ({ isBeside: isShownBeside(), isDrawer: false }));

const roomy = matchMedia(ROOMY);

const whenRoomChanges = (wake: () => void): (() => void) => {
  roomy.addEventListener('change', wake);
  return () => roomy.removeEventListener('change', wake);
};

/** Whether there is room beside the view. */
export const useIsRoomy = (): boolean => useSyncExternalStore(whenRoomChanges, () => roomy.matches);

export function togglePanel(): void {
  const { isBeside, isDrawer } = usePanel.getState();
  if (!roomy.matches) return usePanel.setState({ isDrawer: !isDrawer });
  usePanel.setState({ isBeside: !isBeside, isDrawer: false });
  writeStored(NAME, isBeside ? false : undefined);
}

/** Every change of view closes it: what follows it is not woken where nothing is open. */
export function closeDrawer(): void {
  if (usePanel.getState().isDrawer) usePanel.setState({ isDrawer: false });
}
