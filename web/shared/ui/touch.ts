/** Whether targets are as large as fingers, as in `tokens.css`. */
export const isForFingers = (): boolean => matchMedia('(max-width: 760px), (pointer: coarse)').matches;
