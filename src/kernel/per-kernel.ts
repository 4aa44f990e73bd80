/** Something of which each kernel has its own: caches and pools, never shared between two nodes in one process. */
import type { Kernel } from './kernel';

export function perKernel<T>(make: (kernel: Kernel) => T): (kernel: Kernel) => T {
  const made = new WeakMap<Kernel, { value: T }>();
  return (kernel) => {
    let own = made.get(kernel);
    if (!own) made.set(kernel, (own = { value: make(kernel) }));
    return own.value;
  };
}
