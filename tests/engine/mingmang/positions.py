"""Positions of Ming Mang that several tests play from."""

WALLED_IN_BLACK_LEADS = "8/4wwww/2wwwbbb/1wwbb1bb/2wb3b/1wb4b/wb6/b2bbb2 {seat} 0"
