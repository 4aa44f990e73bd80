/** Keys of the installation, which no tenant owns. All are in one slot, so a pipeline or script may use several. */

/** The installation's hash tag, which the queues share: a marker beside the jobs is kept or lost together with them. */
export const installationTag = (namespace: string): string => `{${namespace}:jobs}`;

export const installationKey = (namespace: string, name: string): string =>
  `${namespace}:${installationTag(namespace)}:${name}`;
