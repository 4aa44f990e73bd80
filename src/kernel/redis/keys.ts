/** Keys of the installation, which no tenant owns. All lie in one slot, so that a pipeline or a script may touch several. */

/** The hash tag of the installation, which the queues carry too: a mark beside the jobs is lost and kept with them. */
export const installationTag = (namespace: string): string => `{${namespace}:jobs}`;

export const installationKey = (namespace: string, name: string): string =>
  `${namespace}:${installationTag(namespace)}:${name}`;
