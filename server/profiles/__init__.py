"""What people show of themselves, whom they follow, and who is online and plays."""
