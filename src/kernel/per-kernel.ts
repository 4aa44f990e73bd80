/** Something of which each kernel has its own: caches and pools, never shared between two nodes in one process. */
import type { Kernel } from './kernel';

export function perKernel<T>(make: (kernel: Kernel) => T): (kernel: Kernel) => T {
  const made = new WeakMap<Kernel, { value: T }>();
  // Nearly every process has one kernel, and asks for this many times a request.
  let latest: { readonly kernel: Kernel; readonly value: T } | undefined;
  return (kernel) => {
    if (latest?.kernel === kernel) return latest.value;
    let own = made.get(kernel);
    if (!own) made.set(kernel, (own = { value: make(kernel) }));
    latest = { kernel, value: own.value };
    return own.value;
  };
}
