/** The configuration for calling carriers and for serving files to them. */
export interface TextingSettings {
  /** The public base URL. */
  readonly publicUrl: string;
  readonly carrierCallMs: number;
  readonly carrierUnknownMs: number;
  readonly carrierGiveUpMs: number;
  readonly fileLimitBytes: number;
  readonly fileUrlMs: number;
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
}
