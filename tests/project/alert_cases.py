"""For each alert, data in which it must fire and data in which it must not, in promtool's notation of series."""

from dataclasses import dataclass
from typing import TypeAlias

Series: TypeAlias = dict[str, str]
"""The values of time series, one in each interval: `0+60x10` begins at 0 and grows ten times by 60."""


@dataclass(frozen=True)
class Case:
    """Two courses of events; after a time, an alert fires in one of them."""

    fires: Series
    quiet: Series
    at: str = "30m"
    interval: str = "1m"


def quantile(name: str, labels: str, slow: str, fast_per_minute: int) -> Series:
    """Return a histogram of 100 observations a minute, of which some are at most as long as a bucket."""
    prefix = f"{name}_bucket{{{labels}" + ("," if labels else "")
    return {
        f'{prefix}le="{slow}"}}': f"0+{fast_per_minute}x40",
        f'{prefix}le="5.0"}}': "0+100x40",
        f'{prefix}le="+Inf"}}': "0+100x40",
    }


def nodes(*values: str) -> Series:
    """Return whether each node answers."""
    return {f'up{{job="millrace",instance="node{number}"}}': value for number, value in enumerate(values)}


def disk(available: str, size: str = "100e9+0x600", fstype: str = "ext4") -> Series:
    """Return a file system, beside a database of 5 GB."""
    labels = f'{{mountpoint="/",fstype="{fstype}"}}'
    return {
        f"node_filesystem_avail_bytes{labels}": available,
        f"node_filesystem_size_bytes{labels}": size,
        'pg_database_size_bytes{datname="millrace"}': "5e9+0x600",
    }


def moves(good: str, total: str) -> Series:
    """Return how many commands were acknowledged within 100 ms, of how many, and that none was refused."""
    return {
        'millrace_command_seconds_bucket{le="0.1"}': good,
        "millrace_command_seconds_count": total,
        'millrace_refusals_total{code="unavailable"}': "0x1100",
    }


CASES = {
    "NoNode": Case(nodes("0x30"), nodes("1x30", "0x30")),
    # A stopped container leaves no series.
    "NodeDown": Case(
        nodes("1x30", "1x30", "1x10 stale") | {"millrace_nodes_wanted": "3x30"},
        nodes("1x30", "1x30", "1x10 stale") | {"millrace_nodes_wanted": "2x30"},
    ),
    "NodeUnreachable": Case(nodes("1x30", "0x30"), nodes("1x30", "1x10 stale")),
    "TargetDown": Case({'up{job="bots"}': "1x20 0x10"}, {'up{job="bots"}': "1x28 0x2"}),
    "SiteDown": Case({"probe_success": "1x20 0x10"}, {"probe_success": "1x28 0 1"}),
    "CertificateExpires": Case(
        {"probe_ssl_earliest_cert_expiry": "1200000x100"}, {"probe_ssl_earliest_cert_expiry": "1230000x100"}, at="90m"
    ),
    "ProxyErrors": Case(
        {
            'caddy_http_request_duration_seconds_count{code="200"}': "0+900x30",
            'caddy_http_request_duration_seconds_count{code="502"}': "0+100x30",
        },
        {
            'caddy_http_request_duration_seconds_count{code="200"}': "0+990x30",
            'caddy_http_request_duration_seconds_count{code="502"}': "0+10x30",
            'caddy_http_request_duration_seconds_count{code="404"}': "0+900x30",
        },
    ),
    "ServerErrors": Case(
        {'millrace_http_responses_total{code="500"}': "0x25 1x5"},
        {'millrace_http_responses_total{code="500"}': "3x30", 'millrace_http_responses_total{code="404"}': "0+9x30"},
    ),
    "PlayStandsStill": Case({"millrace_interrupted": "0x27 1x3"}, {"millrace_interrupted": "0x28 1 0"}),
    "EventsStop": Case(
        {"millrace_events_total": "900x30", "millrace_connections": "50x30"},
        {"millrace_events_total": "900x30", "millrace_connections": "15x30"},
    ),
    "ConnectionsLost": Case({"millrace_connections": "500x27 3x3"}, {"millrace_connections": "500x27 300x3"}),
    "FewOpenFilesLeft": Case(
        {'process_open_fds{job="millrace"}': "600x30", 'process_max_fds{job="millrace"}': "1024x30"},
        {'process_open_fds{job="millrace"}': "500x30", 'process_max_fds{job="millrace"}': "1024x30"},
    ),
    "RoomsGrow": Case(
        {"millrace_rooms": "2000x288 9000x30", "millrace_connections": "500x318"},
        {"millrace_rooms": "2000x288 9000x30", "millrace_connections": "500x288 2000x30"},
        at="1590m",
        interval="5m",
    ),
    "TasksGrow": Case({"millrace_tasks": "40x30 1500x70"}, {"millrace_tasks": "40x60 1500x30 40x10"}, at="100m"),
    "MemoryGrows": Case(
        {'process_resident_memory_bytes{job="millrace"}': "95e7x30"},
        {'process_resident_memory_bytes{job="millrace"}': "4e8x20 95e7x10"},
    ),
    "RefusedAsUnavailable": Case(
        {'millrace_refusals_total{code="unavailable"}': "0+60x30"},
        {'millrace_refusals_total{code="unavailable"}': "0+1x30", 'millrace_refusals_total{code="x"}': "0+60x30"},
    ),
    "RefusalsRise": Case(
        {'millrace_refusals_total{code="malformed"}': "0+10x288 9000+1000x12"},
        {'millrace_refusals_total{code="malformed"}': "0+1000x300"},
        at="1470m",
        interval="5m",
    ),
    "Flood": Case(
        {'millrace_limits_reached_total{limit="chat_lines"}': "0+120x40"},
        {'millrace_limits_reached_total{limit="chat_lines"}': "0+20x40"},
        at="40m",
    ),
    "SlowClients": Case(
        {'millrace_disconnections_total{reason="slow"}': "0+5x30", "millrace_connections": "500x30"},
        {'millrace_disconnections_total{reason="slow"}': "0+1x30", "millrace_connections": "500x30"},
    ),
    "SlowCommands": Case(
        quantile("millrace_command_seconds", "", "0.1", 95), quantile("millrace_command_seconds", "", "0.1", 100)
    ),
    "SlowCommits": Case(
        quantile("millrace_commit_seconds", "", "0.1", 95), quantile("millrace_commit_seconds", "", "0.1", 100)
    ),
    "LoopLag": Case(
        quantile("millrace_loop_lag_seconds", 'instance="a"', "0.1", 95),
        quantile("millrace_loop_lag_seconds", 'instance="a"', "0.1", 100),
    ),
    "BotsLate": Case(
        {'millrace_bot_requests_late_total{urgency="move"}': "0+3x30"},
        {'millrace_bot_requests_late_total{urgency="analysis"}': "0+3x30"},
    ),
    "BotsWaiting": Case(
        {
            'millrace_bot_requests_waiting{urgency="move",instance="a"}': "40x30",
            'millrace_bot_requests_waiting{urgency="move",instance="b"}': "40x30",
        },
        {
            'millrace_bot_requests_waiting{urgency="move"}': "70x30",
            'millrace_bot_requests_waiting{urgency="analysis"}': "70x30",
        },
    ),
    "BotQueueSlow": Case(
        quantile("millrace_bot_queue_seconds", 'urgency="move"', "1.0", 95),
        quantile("millrace_bot_queue_seconds", 'urgency="exhibition"', "1.0", 95),
    ),
    "BotsShortened": Case(
        {
            'millrace_bot_requests_shortened_total{urgency="move"}': "0+30x400",
            'millrace_bot_queue_seconds_count{urgency="move"}': "0+100x400",
        },
        {
            'millrace_bot_requests_shortened_total{urgency="move"}': "0x350 0+30x50",
            'millrace_bot_queue_seconds_count{urgency="move"}': "0+100x400",
        },
        at="2000m",
        interval="5m",
    ),
    "BotGamesWaiting": Case({"millrace_bot_games_waiting": "3x30"}, {"millrace_bot_games_waiting": "0x27 3x3"}),
    "BotsInTrouble": Case({"millrace_bots_in_trouble": "1x30"}, {"millrace_bots_in_trouble": "0x30"}),
    "NoBotWorker": Case(
        {'millrace_bot_workers{job="bots"}': "0x30"},
        {'millrace_bot_workers{job="bots"}': "2x30", 'millrace_bot_workers{job="millrace"}': "0x30"},
    ),
    "WorkersDie": Case(
        {"millrace_bot_request_retries_total": "0+1x30"}, {"millrace_bot_request_retries_total": "0x25 2x5"}
    ),
    "WorkerHangs": Case(
        {"millrace_bot_worker_timeouts_total": "0x25 1x5"}, {"millrace_bot_worker_timeouts_total": "1x30"}
    ),
    "NodesDisagree": Case(
        {'millrace_members{instance="a"}': "3x30", 'millrace_members{instance="b"}': "3x20 2x10"},
        {'millrace_members{instance="a"}': "3x30", 'millrace_members{instance="b"}': "3x30"},
    ),
    "ClockDiffers": Case(
        {"millrace_clock_difference_seconds": "-0.2x30"}, {"millrace_clock_difference_seconds": "-0.05x30"}
    ),
    "BusDisconnected": Case(
        nodes("1x30", "1x30") | {'millrace_bus_connected{job="millrace"}': "0x30"},
        nodes("1x30") | {'millrace_bus_connected{job="millrace"}': "0x30"},
    ),
    "BusEventsDropped": Case(
        {"millrace_bus_events_dropped_total": "0+5x30", "millrace_bus_connected": "1x30"},
        {"millrace_bus_events_dropped_total": "0+5x30", "millrace_bus_connected": "0x30"},
    ),
    "PushFails": Case(
        {
            'millrace_push_messages_total{outcome="later"}': "0+1x60",
            'millrace_push_messages_total{outcome="delivered"}': "7x60",
        },
        {
            'millrace_push_messages_total{outcome="later"}': "0+1x60",
            'millrace_push_messages_total{outcome="delivered"}': "0+1x60",
        },
        at="60m",
    ),
    "MailServerFails": Case({"millrace_mail_server_fails": "1x30"}, {"millrace_mail_server_fails": "0x27 1x3"}),
    "MailsFail": Case(
        {'millrace_mails_total{outcome="failed"}': "0x25 1x5"},
        {'millrace_mails_total{outcome="failed"}': "0x30", 'millrace_mails_total{outcome="sent"}': "0+1x30"},
    ),
    "DatabaseDown": Case({"pg_up": "1x27 0x3"}, {"pg_up": "1x30"}),
    "DatabaseConnectionsFull": Case(
        {
            'pg_stat_activity_count{instance="d",state="idle"}': "90x30",
            'pg_stat_activity_count{instance="d",state="active"}': "10x30",
            'pg_settings_max_connections{instance="d"}': "120x30",
        },
        {
            'pg_stat_activity_count{instance="d",state="idle"}': "80x30",
            'pg_stat_activity_count{instance="d",state="active"}': "10x30",
            'pg_settings_max_connections{instance="d"}': "120x30",
        },
    ),
    "ReplicationLags": Case({"pg_replication_lag_seconds": "45x30"}, {"pg_replication_lag_seconds": "2x27 45x3"}),
    "ReplicationStopped": Case(
        {'pg_replication_slot_slot_is_active{slot_name="standby"}': "0x30"},
        {'pg_replication_slot_slot_is_active{slot_name="standby"}': "1x27 0x3"},
    ),
    "BackupOld": Case(
        {"millrace_backup_timestamp_seconds": "0x60"},
        {"millrace_backup_timestamp_seconds": "0x24 86400x36"},
        at="60h",
        interval="1h",
    ),
    "DiskLow": Case(disk("9e9+0x30"), disk("11e9+0x30")),
    "DiskFills": Case(disk("35e9-1e8x120", fstype="xfs"), disk("80e9-5e7x120", fstype="xfs"), at="600m", interval="5m"),
    "ObjectiveMissedFast": Case(moves("0+580x300", "0+600x300"), moves("0+599x300", "0+600x300"), at="300m"),
    "ObjectiveMissedSlowly": Case(
        moves("0+2390x1100", "0+2400x1100"), moves("0+2399x1100", "0+2400x1100"), at="4320m", interval="4m"
    ),
}

OTHER_FIRING = {
    "an absent backup": ("BackupOld", {"up": "1x9"}, "3h"),
    "a small disk beside a large database": (
        "DiskLow",
        disk("30e9+0x30") | {'pg_database_size_bytes{datname="other"}': "15e9+0x30"},
        "30m",
    ),
    "refused moves": (
        "ObjectiveMissedFast",
        moves("0+600x300", "0+600x300") | {'millrace_refusals_total{code="unavailable"}': "0+20x300"},
        "300m",
    ),
    "late bots": (
        "ObjectiveMissedFast",
        {
            'millrace_bot_queue_seconds_count{urgency="move"}': "0+60x300",
            'millrace_bot_requests_late_total{urgency="move"}': "0+12x300",
        },
        "300m",
    ),
    "slow pairings": (
        "ObjectiveMissedFast",
        {"millrace_pairing_seconds_count": "0+10x300", 'millrace_pairing_seconds_bucket{le="30.0"}': "0+2x300"},
        "300m",
    ),
    "a slow burn": ("ObjectiveMissedFast", moves("0+595x500", "0+600x500"), "450m"),
}
"""Further ways in which an alert must fire."""
