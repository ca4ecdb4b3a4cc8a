-- webvigil_0028
-- next
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)
-- next
CREATE TABLE setting (
	"key" VARCHAR(200) NOT NULL, 
	value TEXT, 
	CONSTRAINT pk_setting PRIMARY KEY ("key")
)
-- next
CREATE TABLE token (
	digest VARCHAR(128) NOT NULL, 
	user_id INTEGER NOT NULL, 
	purpose VARCHAR(40) NOT NULL, 
	expires BIGINT NOT NULL, name VARCHAR(200) DEFAULT '' NOT NULL, scope VARCHAR(20) DEFAULT 'admin' NOT NULL, created_at BIGINT DEFAULT '0' NOT NULL, used_at BIGINT, 
	CONSTRAINT pk_token PRIMARY KEY (digest), 
	CONSTRAINT fk_token_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_token_user_id ON token (user_id)
-- next
CREATE TABLE page_about (
	page_id INTEGER NOT NULL, 
	"key" VARCHAR(40) NOT NULL, 
	url TEXT NOT NULL, 
	method VARCHAR(10) NOT NULL, 
	fields JSON NOT NULL, 
	render VARCHAR(20) NOT NULL, 
	validators JSON NOT NULL, login VARCHAR(40) DEFAULT '' NOT NULL, wish VARCHAR(40) DEFAULT '' NOT NULL, title TEXT DEFAULT '' NOT NULL, approach TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_page_about PRIMARY KEY (page_id), 
	CONSTRAINT fk_page_about_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT uq_page_about_key UNIQUE ("key")
)
-- next
CREATE TABLE watch (
	sentinel_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	interval_ms BIGINT NOT NULL, 
	next_at BIGINT NOT NULL, 
	reference INTEGER NOT NULL, measured_from INTEGER DEFAULT '0' NOT NULL, level INTEGER DEFAULT '0' NOT NULL, via_id BIGINT, trouble VARCHAR(20) DEFAULT 'unseen' NOT NULL, trouble_words TEXT DEFAULT '' NOT NULL, first_version INTEGER DEFAULT '0' NOT NULL, since BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_watch PRIMARY KEY (sentinel_id, page_id), 
	CONSTRAINT fk_watch_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT fk_watch_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_watch_page_id ON watch (page_id)
-- next
CREATE TABLE counter (
	name VARCHAR(40) NOT NULL, 
	value BIGINT NOT NULL, 
	CONSTRAINT pk_counter PRIMARY KEY (name)
)
-- next
CREATE TABLE removal (
	sentinel_id INTEGER NOT NULL, 
	revision BIGINT NOT NULL, 
	CONSTRAINT pk_removal PRIMARY KEY (sentinel_id)
)
-- next
CREATE INDEX ix_removal_revision ON removal (revision)
-- next
CREATE TABLE push (
	digest VARCHAR(128) NOT NULL, 
	page_id INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	hub TEXT NOT NULL, 
	topic TEXT NOT NULL, 
	sealed TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	until BIGINT NOT NULL, 
	CONSTRAINT pk_push PRIMARY KEY (digest), 
	CONSTRAINT fk_push_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_push_page_id ON push (page_id)
-- next
CREATE TABLE pace (
	page_id INTEGER NOT NULL, 
	memory BLOB NOT NULL, 
	share FLOAT NOT NULL, 
	pings INTEGER NOT NULL, 
	CONSTRAINT pk_pace PRIMARY KEY (page_id), 
	CONSTRAINT fk_pace_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE TABLE change_words (
	change_id INTEGER NOT NULL, 
	words TEXT NOT NULL, 
	CONSTRAINT pk_change_words PRIMARY KEY (change_id), 
	CONSTRAINT fk_change_words_change_id FOREIGN KEY(change_id) REFERENCES change (id) ON DELETE CASCADE
)
-- next
CREATE VIRTUAL TABLE change_fts USING fts5(
    words, content='change_words', content_rowid='change_id', tokenize='unicode61 remove_diacritics 0'
)
-- next
CREATE TRIGGER change_words_new AFTER INSERT ON change_words BEGIN
    INSERT INTO change_fts(rowid, words) VALUES (new.change_id, new.words);
END
-- next
CREATE TRIGGER change_words_gone AFTER DELETE ON change_words BEGIN
    INSERT INTO change_fts(change_fts, rowid, words) VALUES ('delete', old.change_id, old.words);
END
-- next
CREATE TABLE duty (
	name VARCHAR(40) NOT NULL, 
	owner VARCHAR(100) NOT NULL, 
	lease BIGINT NOT NULL, 
	CONSTRAINT pk_duty PRIMARY KEY (name)
)
-- next
CREATE TABLE joint (
	sentinel_id INTEGER NOT NULL, 
	pages JSON NOT NULL, 
	CONSTRAINT pk_joint PRIMARY KEY (sentinel_id), 
	CONSTRAINT fk_joint_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE
)
-- next
CREATE TABLE held (
	sentinel_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	old_version INTEGER NOT NULL, 
	new_version INTEGER NOT NULL, 
	found_at BIGINT NOT NULL, 
	findings JSON NOT NULL, 
	notices JSON NOT NULL, root_id BIGINT DEFAULT '0' NOT NULL, judgement TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_held PRIMARY KEY (sentinel_id, page_id), 
	CONSTRAINT fk_held_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE, 
	CONSTRAINT fk_held_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_held_page_id ON held (page_id)
-- next
CREATE TABLE preference (
	user_id INTEGER NOT NULL, 
	content JSON NOT NULL, 
	CONSTRAINT pk_preference PRIMARY KEY (user_id), 
	CONSTRAINT fk_preference_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE
)
-- next
CREATE TABLE discovery_step (
	discovery_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_discovery_step PRIMARY KEY (discovery_id, number), 
	CONSTRAINT fk_discovery_step_discovery_id FOREIGN KEY(discovery_id) REFERENCES discovery (id) ON DELETE CASCADE
)
-- next
CREATE TABLE discovery_service (
	discovery_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	title TEXT NOT NULL, 
	probes INTEGER NOT NULL, 
	profile TEXT NOT NULL, 
	found_at BIGINT NOT NULL, 
	CONSTRAINT pk_discovery_service PRIMARY KEY (discovery_id, number), 
	CONSTRAINT fk_discovery_service_discovery_id FOREIGN KEY(discovery_id) REFERENCES discovery (id) ON DELETE CASCADE
)
-- next
CREATE TABLE peer (
	"key" VARCHAR(60) NOT NULL, 
	url TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	reason TEXT NOT NULL, 
	added_at BIGINT NOT NULL, 
	heard_at BIGINT NOT NULL, 
	failures INTEGER NOT NULL, 
	rest_until BIGINT NOT NULL, 
	listed BOOLEAN NOT NULL, 
	asked BIGINT DEFAULT '0' NOT NULL, 
	got BIGINT DEFAULT '0' NOT NULL, 
	same BIGINT DEFAULT '0' NOT NULL, 
	given BIGINT DEFAULT '0' NOT NULL, 
	checked BIGINT DEFAULT '0' NOT NULL, 
	agreed BIGINT DEFAULT '0' NOT NULL, 
	strikes BIGINT DEFAULT '0' NOT NULL, 
	refused BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_peer PRIMARY KEY ("key")
)
-- next
CREATE TABLE peer_page (
	peer_key VARCHAR(60) NOT NULL, 
	page_key VARCHAR(40) NOT NULL, 
	interval_ms BIGINT NOT NULL, 
	CONSTRAINT pk_peer_page PRIMARY KEY (peer_key, page_key), 
	CONSTRAINT fk_peer_page_peer_key FOREIGN KEY(peer_key) REFERENCES peer ("key") ON DELETE CASCADE
)
-- next
CREATE INDEX ix_peer_page_page_key ON peer_page (page_key)
-- next
CREATE TABLE peer_message (
	id VARCHAR(60) NOT NULL, 
	until BIGINT NOT NULL, 
	CONSTRAINT pk_peer_message PRIMARY KEY (id)
)
-- next
CREATE INDEX ix_peer_message_until ON peer_message (until)
-- next
CREATE TABLE reach (
	sentinel_id INTEGER NOT NULL, 
	depth INTEGER NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	below VARCHAR(40) NOT NULL, 
	due BIGINT NOT NULL, 
	linked INTEGER DEFAULT '0' NOT NULL, 
	most INTEGER, 
	overfull BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_reach PRIMARY KEY (sentinel_id), 
	CONSTRAINT fk_reach_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_reach_due ON reach (due)
-- next
CREATE TABLE linked (
	page_id INTEGER NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	version INTEGER NOT NULL, 
	more BOOLEAN NOT NULL, 
	CONSTRAINT pk_linked PRIMARY KEY (page_id, part), 
	CONSTRAINT fk_linked_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE TABLE link (
	page_id INTEGER NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	"key" VARCHAR(40) NOT NULL, 
	position INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	render VARCHAR(20) NOT NULL, 
	login VARCHAR(40) NOT NULL, 
	near BOOLEAN NOT NULL, 
	gone_at BIGINT, approach TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_link PRIMARY KEY (page_id, part, "key"), 
	CONSTRAINT fk_link_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE TABLE agent (
	id VARCHAR(40) NOT NULL, 
	side VARCHAR(20) NOT NULL, 
	peer_key VARCHAR(60) NOT NULL, 
	user_name VARCHAR(200) NOT NULL, 
	goals JSON NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	reason TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	heard_at BIGINT NOT NULL, 
	letters BIGINT NOT NULL, 
	told BOOLEAN NOT NULL, 
	CONSTRAINT pk_agent PRIMARY KEY (id)
)
-- next
CREATE INDEX ix_agent_peer_key ON agent (peer_key)
-- next
CREATE TABLE "wv_user" (
	id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	zone VARCHAR(60) NOT NULL, 
	created_at BIGINT NOT NULL, password TEXT DEFAULT '' NOT NULL, taste TEXT DEFAULT '' NOT NULL, topics TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_wv_user PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT uq_wv_user_name UNIQUE (name)
)
-- next
CREATE TABLE "sentinel" (
	id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	text TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	priority INTEGER NOT NULL, 
	topic VARCHAR(200) NOT NULL, 
	installed_at BIGINT NOT NULL, enabled BOOLEAN DEFAULT 1 NOT NULL, span INTEGER DEFAULT '0' NOT NULL, within BOOLEAN DEFAULT 1 NOT NULL, life_at BIGINT, started_at BIGINT, ended_at BIGINT, warned BOOLEAN DEFAULT 0 NOT NULL, over BOOLEAN DEFAULT 0 NOT NULL, failure TEXT DEFAULT '' NOT NULL, revision BIGINT DEFAULT '0' NOT NULL, removed_at BIGINT, removed_name VARCHAR(200) DEFAULT '' NOT NULL, own TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_sentinel PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_sentinel_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE, 
	CONSTRAINT uq_sentinel_user_name UNIQUE (user_id, name)
)
-- next
CREATE INDEX ix_sentinel_revision ON sentinel (revision)
-- next
CREATE TABLE "host" (
	id INTEGER NOT NULL, 
	name VARCHAR(300) NOT NULL, 
	next_at BIGINT NOT NULL, 
	lease BIGINT NOT NULL, 
	token BIGINT NOT NULL, 
	owner VARCHAR(100) NOT NULL, 
	delay_ms BIGINT, 
	concurrency INTEGER, failures INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_host PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT uq_host_name UNIQUE (name)
)
-- next
CREATE INDEX ix_host_ready ON host (max(next_at, lease))
-- next
CREATE TABLE "page" (
	id INTEGER NOT NULL, 
	host_id INTEGER NOT NULL, 
	due BIGINT NOT NULL, 
	priority INTEGER NOT NULL, 
	checks BIGINT NOT NULL, 
	asked BIGINT NOT NULL, 
	failures INTEGER NOT NULL, 
	latest INTEGER NOT NULL, failing_since BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_page PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_page_host_id FOREIGN KEY(host_id) REFERENCES host (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_page_host_due ON page (host_id, due)
-- next
CREATE TABLE "version" (
	id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	fetched_at BIGINT NOT NULL, 
	url TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	signature VARCHAR(64) NOT NULL, 
	object VARCHAR(80) NOT NULL, 
	size BIGINT NOT NULL, picture VARCHAR(80) DEFAULT '' NOT NULL, base VARCHAR(80) DEFAULT '' NOT NULL, stored BIGINT DEFAULT '0' NOT NULL, dropped BOOLEAN DEFAULT 0 NOT NULL, delta TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_version PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_version_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT uq_version_page_number UNIQUE (page_id, number)
)
-- next
CREATE INDEX ix_version_object ON version (object)
-- next
CREATE TABLE "change" (
	id INTEGER NOT NULL, 
	sentinel_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	old_version INTEGER NOT NULL, 
	new_version INTEGER NOT NULL, 
	found_at BIGINT NOT NULL, 
	findings JSON NOT NULL, seen_at BIGINT, note TEXT DEFAULT '' NOT NULL, judgement TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_change PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_change_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT fk_change_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE, 
	CONSTRAINT uq_change_once UNIQUE (sentinel_id, page_id, old_version, new_version)
)
-- next
CREATE INDEX ix_change_page_id ON change (page_id)
-- next
CREATE TABLE "look" (
	id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	why VARCHAR(40) NOT NULL, 
	decision VARCHAR(40) NOT NULL, 
	status INTEGER NOT NULL, 
	bytes BIGINT NOT NULL, 
	duration_ms BIGINT NOT NULL, 
	error TEXT NOT NULL, reason TEXT DEFAULT '' NOT NULL, "plan" TEXT DEFAULT '' NOT NULL, troubles JSON DEFAULT '[]' NOT NULL, left_out TEXT DEFAULT '' NOT NULL, picture VARCHAR(80) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_look PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_look_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_look_page_at ON look (page_id, at)
-- next
CREATE TABLE "login" (
	id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	sealed TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_login PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_login_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE, 
	CONSTRAINT uq_login_user_url UNIQUE (user_id, url)
)
-- next
CREATE TABLE "outbox" (
	id INTEGER NOT NULL, 
	dedup VARCHAR(200) NOT NULL, 
	due BIGINT NOT NULL, 
	lease BIGINT NOT NULL, 
	token BIGINT NOT NULL, 
	owner VARCHAR(100) NOT NULL, 
	attempts INTEGER NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	user_name VARCHAR(200) NOT NULL, 
	channel VARCHAR(40) NOT NULL, 
	address TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	body JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	settled_at BIGINT, 
	error TEXT NOT NULL, queue VARCHAR(40) DEFAULT '' NOT NULL, lane VARCHAR(20) DEFAULT '' NOT NULL, every_ms BIGINT DEFAULT '0' NOT NULL, needs INTEGER DEFAULT '0' NOT NULL, urgency INTEGER DEFAULT '0' NOT NULL, sentinel VARCHAR(200) DEFAULT '' NOT NULL, merged_into VARCHAR(200) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_outbox PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT uq_outbox_dedup UNIQUE (dedup)
)
-- next
CREATE INDEX ix_outbox_ready ON outbox (max(due, lease))
-- next
CREATE INDEX ix_outbox_given_up ON outbox (id) WHERE state = 'given up'
-- next
CREATE INDEX ix_outbox_queue ON outbox (queue, id) WHERE state IN ('pending', 'held')
-- next
CREATE INDEX ix_outbox_pending ON outbox (urgency, id) WHERE state = 'pending'
-- next
CREATE INDEX ix_outbox_user ON outbox (user_name, settled_at)
-- next
CREATE TABLE "contact" (
	id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	channel VARCHAR(40) NOT NULL, 
	address TEXT NOT NULL, 
	sealed TEXT NOT NULL, 
	digest VARCHAR(128) NOT NULL, 
	expires BIGINT NOT NULL, 
	verified_at BIGINT, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_contact PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_contact_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE, 
	CONSTRAINT uq_contact_address UNIQUE (user_id, channel, address)
)
-- next
CREATE INDEX ix_contact_digest ON contact (digest)
-- next
CREATE TABLE "discovery" (
	id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	wanted TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	why TEXT NOT NULL, 
	counted TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	ended_at BIGINT, 
	CONSTRAINT pk_discovery PRIMARY KEY (id AUTOINCREMENT), 
	CONSTRAINT fk_discovery_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_discovery_user_id ON discovery (user_id)
-- next
CREATE INDEX ix_discovery_state ON discovery (state)
-- next
CREATE TABLE "event" (
	id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	subject VARCHAR(300) NOT NULL, 
	details JSON NOT NULL, 
	CONSTRAINT pk_event PRIMARY KEY (id AUTOINCREMENT)
)
-- next
CREATE INDEX ix_event_subject ON event (subject)
-- next
CREATE TABLE doubt (
	page_id INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	said TEXT NOT NULL, 
	clear BOOLEAN NOT NULL, 
	since BIGINT NOT NULL, 
	told BOOLEAN NOT NULL, 
	CONSTRAINT pk_doubt PRIMARY KEY (page_id), 
	CONSTRAINT fk_doubt_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE TABLE habit (
	page_id INTEGER NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	places JSON NOT NULL, 
	CONSTRAINT pk_habit PRIMARY KEY (page_id, part), 
	CONSTRAINT fk_habit_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE
)
-- next
CREATE TABLE past (
	page_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	fetched_at BIGINT NOT NULL, 
	url TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	signature VARCHAR(64) NOT NULL, 
	object VARCHAR(80) NOT NULL, 
	size BIGINT NOT NULL, 
	base VARCHAR(80) NOT NULL, 
	stored BIGINT NOT NULL, 
	CONSTRAINT pk_past PRIMARY KEY (page_id, number), 
	CONSTRAINT fk_past_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT fk_past_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_past_user_id ON past (user_id)
-- next
CREATE INDEX ix_past_object ON past (object)
-- next
CREATE INDEX ix_look_picture ON look (picture) WHERE picture <> ''
-- next
CREATE INDEX ix_sentinel_newest ON sentinel (user_id, id) WHERE removed_at IS NULL
-- next
CREATE INDEX ix_sentinel_kinds ON sentinel (user_id, state, topic) WHERE removed_at IS NULL
-- next
CREATE INDEX ix_sentinel_removed ON sentinel (removed_at) WHERE removed_at IS NOT NULL
-- next
CREATE TABLE question (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	sentinel_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	old_version INTEGER NOT NULL, 
	new_version INTEGER NOT NULL, 
	found_at BIGINT NOT NULL, 
	findings JSON NOT NULL, 
	notices JSON NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	prompt TEXT NOT NULL, 
	tokens INTEGER NOT NULL, 
	condition TEXT NOT NULL, 
	summed_up BOOLEAN NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	judgement TEXT DEFAULT '' NOT NULL, 
	due BIGINT NOT NULL, 
	lease BIGINT NOT NULL, 
	token BIGINT NOT NULL, 
	owner VARCHAR(100) NOT NULL, 
	attempts INTEGER NOT NULL, 
	CONSTRAINT fk_question_sentinel_id FOREIGN KEY(sentinel_id) REFERENCES sentinel (id) ON DELETE CASCADE, 
	CONSTRAINT fk_question_page_id FOREIGN KEY(page_id) REFERENCES page (id) ON DELETE CASCADE, 
	CONSTRAINT uq_question_once UNIQUE (sentinel_id, page_id, old_version, new_version)
)
-- next
CREATE INDEX ix_question_page_id ON question (page_id)
-- next
CREATE INDEX ix_question_waiting ON question ("key") WHERE state = 'waiting'
-- next
CREATE TABLE answer (
	"key" VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_answer PRIMARY KEY ("key")
)
-- next
CREATE INDEX ix_answer_at ON answer (at)
-- next
CREATE TABLE spending (
	user_id INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	questions BIGINT DEFAULT '0' NOT NULL, 
	tokens_read BIGINT DEFAULT '0' NOT NULL, 
	tokens_written BIGINT DEFAULT '0' NOT NULL, 
	time_ms BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_spending PRIMARY KEY (user_id, day), 
	CONSTRAINT fk_spending_user_id FOREIGN KEY(user_id) REFERENCES wv_user (id) ON DELETE CASCADE
)
-- next
CREATE INDEX ix_page_failing ON page (id) WHERE failures > 0
-- next
CREATE INDEX ix_watch_troubled ON watch (sentinel_id) WHERE trouble IN ('failing', 'nothing', 'broken')
-- next
CREATE INDEX ix_outbox_told ON outbox (user_name, sentinel, settled_at) WHERE state IN ('delivered', 'merged') AND sentinel <> ''
-- next
INSERT INTO "alembic_version" VALUES('webvigil_0028')
-- next
INSERT INTO "counter" VALUES('revision',1)
-- next
INSERT INTO "setting" VALUES('product','webvigil')
-- next
INSERT INTO "sqlite_sequence" VALUES('wv_user',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('sentinel',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('host',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('page',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('version',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('change',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('look',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('login',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('outbox',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('contact',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('discovery',0)
-- next
INSERT INTO "sqlite_sequence" VALUES('event',0)
