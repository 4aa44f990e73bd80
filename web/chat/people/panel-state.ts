/** Whether the panel of people is shown: beside the view where there is room, else as a drawer. */
import { create } from 'zustand';
import { readStored, writeStored } from '../data/stored';

const NAME = 'people-panel';
const ROOMY = '(min-width: 1180px)';

export const isShownBeside = (): boolean => readStored(NAME, true);

export const usePanel = create(() => ({ isBeside: isShownBeside(), isDrawer: false }));

export function togglePanel(): void {
  const { isBeside, isDrawer } = usePanel.getState();
  if (!matchMedia(ROOMY).matches) return usePanel.setState({ isDrawer: !isDrawer });
  usePanel.setState({ isBeside: !isBeside, isDrawer: false });
  writeStored(NAME, isBeside ? false : undefined);
}

export const closeDrawer = (): void => usePanel.setState({ isDrawer: false });
