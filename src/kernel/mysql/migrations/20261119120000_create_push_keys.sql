-- The keys by which push services know this server (VAPID): one row, made by whichever process needs them first.
CREATE TABLE IF NOT EXISTS kernel_push_keys (
  id TINYINT UNSIGNED NOT NULL,
  public_key VARCHAR(100) COLLATE ascii_bin NOT NULL,
  private_sealed VARCHAR(200) COLLATE ascii_bin NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
