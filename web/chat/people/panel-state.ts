/** Whether the panel of people is shown: beside the view where there is room, else as a drawer. */
import { create } from 'zustand';
import { mediaOf } from '../../shared/ui/media';
import { readStored, writeStored } from '../data/stored';

const NAME = 'people-panel';

export const isShownBeside = (): boolean => readStored(NAME, true);

export const usePanel = create(() => ({ isBeside: isShownBeside(), isDrawer: false }));

/** Whether there is room beside the view. */
const roomy = mediaOf('(min-width: 1180px)');

export const useIsRoomy = roomy.useMatches;

export function togglePanel(): void {
  const { isBeside, isDrawer } = usePanel.getState();
  if (!roomy.matches()) return usePanel.setState({ isDrawer: !isDrawer });
  usePanel.setState({ isBeside: !isBeside, isDrawer: false });
  writeStored(NAME, isBeside ? false : undefined);
}

/** Every change of view closes it: what follows it is not woken where nothing is open. */
export function closeDrawer(): void {
  if (usePanel.getState().isDrawer) usePanel.setState({ isDrawer: false });
}
