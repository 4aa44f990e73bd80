/** Whether the side bar is open, which matters where it is a drawer. */
import { create } from 'zustand';

export const useSide = create(() => ({ isOpen: false }));

export const toggleSide = (isOpen: boolean): void => useSide.setState({ isOpen });
