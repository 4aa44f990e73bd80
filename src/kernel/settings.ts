/** The kernel's settings. The kernel never reads the environment: its opener passes these in. */
export interface RateRule {
  readonly seconds: number;
  readonly requests: number;
}

export interface KernelSettings {
  readonly nodeEnv: 'development' | 'test' | 'production';
  readonly nodeName: string;
  readonly namespace: string;
  readonly logLevel: string;
  readonly pauseAt: readonly string[];
  readonly redisUrl: string;
  readonly redisSentinelPassword: string;
  readonly redisDeadlineMs: number;
  readonly databaseUrl: string;
  readonly databaseReplicaUrl: string;
  readonly replicaWaitMs: number;
  readonly mysqlConnections: number;
  readonly mysqlDeadlineMs: number;
  readonly mysqlAcquireMs: number;
  readonly countRoundTrips: 'auto' | 'on' | 'off';
  readonly secretKey: string;
  readonly unknownKeyLimit: RateRule | null;
  readonly passwordQueue: number;
  readonly passwordRounds: number;
  readonly passwordMinLength: number;
  readonly passwordMinGuesses: number;
  readonly eventLogWindowMs: number;
  readonly eventReplayMs: number;
  readonly leaseMs: number;
  readonly jobLockMs: number;
  readonly sweepIntervalMs: number;
  readonly sweepAfterMs: number;
  readonly sweepClaimMs: number;
  readonly housekeepingMs: number;
  readonly jobReplyDeadlineMs: number;
  readonly jobReplyPollMs: number;
  readonly drainNoticeMs: number;
  readonly drainDeadlineMs: number;
  readonly workerBeatMs: number;
  readonly sampleMs: number;
  readonly workerStallMs: number;
}

export interface SocketSettings {
  readonly trustedProxies: readonly string[];
  readonly maxSockets: number;
  readonly socketsPerAddress: number;
  readonly socketPayloadBytes: number;
}

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies: readonly string[];
  readonly formLimitBytes: number;
  readonly jsonLimitBytes: number;
  readonly jsonDepthLimit: number;
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly unsentLimitBytes: number;
  readonly slowReaderMs: number;
  /** Empty for the system's temporary folder. */
  readonly spoolDir: string;
  readonly spoolLimitBytes: number;
  readonly metricsToken: string;
  readonly rateLimit: RateRule | null;
  readonly tenantRateLimit: RateRule | null;
}
