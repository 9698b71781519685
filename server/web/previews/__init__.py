"""Link previews, with a picture of the position, and QR codes of invitations."""
