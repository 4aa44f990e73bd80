/**
 * Opens the menu of a row by a right click or a long press. Safari on telephones tells of no long press, so the finger is timed
 * here; other browsers tell of it as of a right click, which then opens nothing more.
 */
import type { MouseEvent, TouchEvent } from 'react';

const LONG_MS = 500;
/** A finger that moves so far scrolls. */
const STILL_PX = 10;

interface Press {
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
  isLong: boolean;
}

/** There is one at a time. */
let press: Press | undefined;

const open = (row: HTMLElement): boolean => {
  const button = row.querySelector<HTMLElement>('[data-row-menu]');
  button?.click();
  return button !== null;
};

function forget(): void {
  clearTimeout(press?.timer);
  press = undefined;
}

function onTouchStart({ touches, currentTarget, target }: TouchEvent<HTMLElement>): void {
  forget();
  const finger = touches[0];
  // The button opens the menu by itself, and what a menu hands on to React is not in the row.
  const isElsewhere = !currentTarget.contains(target as Node) || (target as Element).closest('button') !== null;
  if (!finger || touches.length > 1 || isElsewhere) return;
  const timer = setTimeout(() => {
    if (press) press.isLong = open(currentTarget);
  }, LONG_MS);
  press = { x: finger.clientX, y: finger.clientY, timer, isLong: false };
}

function onTouchMove({ touches }: TouchEvent): void {
  const finger = touches[0];
  if (!press || press.isLong || !finger) return;
  if (Math.hypot(finger.clientX - press.x, finger.clientY - press.y) > STILL_PX) forget();
}

/** After a long press, lifting the finger follows no link. */
function onTouchEnd(event: TouchEvent): void {
  if (press?.isLong) event.preventDefault();
  forget();
}

function onContextMenu(event: MouseEvent<HTMLElement>): void {
  if (!event.currentTarget.contains(event.target as Node)) return;
  const isOpen = press?.isLong === true;
  if (isOpen || open(event.currentTarget)) event.preventDefault();
  if (!isOpen) forget();
}

/** For the row, which has a `RowMenu` in it. */
export const rowPress = { onTouchStart, onTouchMove, onTouchEnd, onTouchCancel: forget, onContextMenu };
