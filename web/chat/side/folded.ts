/** Which sections this browser's user has folded, in the side bar and in the Inbox. */
import { create } from 'zustand';
import { readStored, writeStored } from '../data/stored';

const NAME = 'folded';

/** Only sections that are not as they are at first, so that the storage does not grow. */
type Changed = Readonly<Record<string, boolean>>;

export const useFolded = create<{ readonly changed: Changed }>(() => ({ changed: readStored<Changed>(NAME, {}) }));

export function fold(section: string, isFolded: boolean, isFirst = false): void {
  const { [section]: _before, ...others } = useFolded.getState().changed;
  const changed = isFolded === isFirst ? others : { ...others, [section]: isFolded };
  useFolded.setState({ changed });
  writeStored(NAME, changed);
}
