/** Zooming and moving a picture by buttons, wheel, double click and fingers. A swipe changes the picture. */
import { useRef, useState, type PointerEvent, type WheelEvent } from 'react';

interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const FITTED: Zoom = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 10;
const STEP = 1.5;
/** A double click shows details at once. */
const CLOSE_UP = 2.5;
/** A finger that moved less wanted something else. */
const SWIPE_PIXELS = 50;

const distance = ([a, b]: readonly Point[]): number => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);

export function useZoom(onSwipe: (step: 1 | -1) => void) {
  const [zoom, setZoom] = useState(FITTED);
  const fingers = useRef(new Map<number, Point>());
  const began = useRef<Point | undefined>(undefined);

  const scaleTo = (change: (scale: number) => number): void =>
    setZoom((now) => {
      const scale = Math.max(1, Math.min(MAX_SCALE, change(now.scale)));
      return scale === 1 ? FITTED : { scale, x: (now.x * scale) / now.scale, y: (now.y * scale) / now.scale };
    });

  const hands = {
    onDoubleClick: () => scaleTo((scale) => (scale > 1 ? 1 : CLOSE_UP)),
    onWheel: ({ deltaY }: WheelEvent) => scaleTo((scale) => scale * Math.exp(-deltaY / 400)),
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      began.current = fingers.current.size === 1 ? { x: event.clientX, y: event.clientY } : undefined;
    },
    onPointerMove(event: PointerEvent) {
      const before = fingers.current.get(event.pointerId);
      if (!before) return;
      const apart = distance([...fingers.current.values()]);
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const now = distance([...fingers.current.values()]);
      if (apart > 0) return scaleTo((scale) => (scale * now) / apart);
      const [x, y] = [event.clientX - before.x, event.clientY - before.y];
      setZoom((zoomed) => (zoomed.scale > 1 ? { ...zoomed, x: zoomed.x + x, y: zoomed.y + y } : zoomed));
    },
    onPointerUp(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      const moved = began.current && event.clientX - began.current.x;
      began.current = undefined;
      if (moved === undefined || zoom.scale > 1 || event.pointerType === 'mouse') return;
      if (Math.abs(moved) >= SWIPE_PIXELS) onSwipe(moved < 0 ? 1 : -1);
    },
    onPointerCancel(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      began.current = undefined;
    },
  };
  return {
    ...zoom,
    hands,
    fit: () => setZoom(FITTED),
    larger: () => scaleTo((scale) => scale * STEP),
    smaller: () => scaleTo((scale) => scale / STEP),
  };
}
