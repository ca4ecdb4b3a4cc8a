def look_alikes():
    return []
