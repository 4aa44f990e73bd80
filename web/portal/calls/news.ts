/** Counts events of calls, so that pages that show calls load them again. */
import { create } from 'zustand';

export const useCallNews = create<{ readonly count: number }>(() => ({ count: 0 }));

export const noteCallNews = (): void => useCallNews.setState(({ count }) => ({ count: count + 1 }));
