-- What somebody has begun to write in a conversation and not sent.
CREATE TABLE IF NOT EXISTS tel_text_drafts (
  contact_id CHAR(24) COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(24) COLLATE ascii_bin NOT NULL,
  text TEXT NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (contact_id, conversation_id),
  INDEX tel_text_drafts_conversation_id_foreign (conversation_id),
  CONSTRAINT tel_text_drafts_contact_id_foreign
    FOREIGN KEY (contact_id) REFERENCES tel_contacts (id) ON DELETE CASCADE,
  CONSTRAINT tel_text_drafts_conversation_id_foreign
    FOREIGN KEY (conversation_id) REFERENCES tel_conversations (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
